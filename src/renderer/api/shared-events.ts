import type { EventName, EventPayload, OwnerApi } from '../../shared/owner-api.ts';
import { listenToEvents } from './event-stream.ts';
import { currentSession, onSessionChange } from './session.ts';

// A browser opens at most six HTTP/1.1 connections to a host. A stream holds one for as long as it lasts, so that with
// a stream for each tab the seventh would get no answer at all. The visible tabs share one: whoever holds the lock reads
// it and hands its events on. A hidden tab takes no part. Nothing secret is handed on, only ids and that something changed.

const LOCK = 'wellhouse.events';
const CHANNEL = 'wellhouse.events';
/** A tab that is only passed over, or comes back at once, keeps what it has. */
const HIDDEN_GRACE_MS = 20_000;

type OnEvent = Parameters<OwnerApi['listen']>[0];
type OnConnection = Parameters<OwnerApi['listen']>[1];

type Message =
  | { readonly kind: 'event'; readonly event: EventName; readonly payload: EventPayload<EventName> }
  /** `to`: who asked; null: it has just changed, and everybody is told. */
  | { readonly kind: 'connection'; readonly connected: boolean; readonly to: string | null }
  | { readonly kind: 'ask'; readonly from: string };

/** Takes part in the tabs' common stream, by reading it or by being told. Returns what ends that. */
function takePart(onEvent: OnEvent, onConnection: OnConnection): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const post = (message: Message): void => channel.postMessage(message);
  const me = crypto.randomUUID();
  let isReader = false;
  let connected: boolean | null = null;
  let stop: () => void = () => {};

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (isReader) {
      if (data.kind === 'ask' && connected !== null) post({ kind: 'connection', connected, to: data.from });
      return;
    }
    if (data.kind === 'event') onEvent(data.event, data.payload);
    if (data.kind === 'connection' && (data.to === null || data.to === me)) onConnection(data.connected);
  };
  post({ kind: 'ask', from: me });

  const read = (): Promise<void> => {
    isReader = true;
    const endListening = listenToEvents(
      (event, payload) => {
        onEvent(event, payload);
        post({ kind: 'event', event, payload });
      },
      (isConnected) => {
        connected = isConnected;
        onConnection(isConnected);
        post({ kind: 'connection', connected, to: null });
      },
    );
    // The lock is held until then, or until this tab is gone.
    return new Promise((resolve) => {
      stop = () => {
        endListening();
        resolve();
      };
    });
  };
  const waiting = new AbortController();
  navigator.locks.request(LOCK, { signal: waiting.signal }, read).catch(() => {
    // Left before it was its turn.
  });
  return () => {
    waiting.abort();
    stop();
    channel.close();
  };
}

/** Listens over the tabs' common stream while this one is visible and has a token; see `OwnerApi.listen`. */
export const listenShared: OwnerApi['listen'] = (onEvent, onConnection) => {
  let part: (() => void) | null = null;
  let timer = 0;

  const leave = (): void => {
    part?.();
    part = null;
  };
  const follow = (): void => {
    window.clearTimeout(timer);
    if (currentSession() !== 'ready') leave();
    else if (document.visibilityState === 'hidden') timer = window.setTimeout(leave, HIDDEN_GRACE_MS);
    // Browsers give locks to pages from this machine and over HTTPS alone; by another name each tab is on its own.
    else part ??= (navigator.locks === undefined ? listenToEvents : takePart)(onEvent, onConnection);
  };
  const anew = (): void => {
    leave();
    follow();
  };
  const endSession = onSessionChange(anew);
  document.addEventListener('visibilitychange', follow);
  follow();

  return () => {
    endSession();
    document.removeEventListener('visibilitychange', follow);
    window.clearTimeout(timer);
    leave();
  };
};
