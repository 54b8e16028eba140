import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import { ALIVE_EVERY_MS, EVENTS_PATH, type SocketHello, type SocketMessage } from '../../shared/owner-api/socket.ts';
import { errorCode } from './errors.ts';
import type { PageSession } from './session/session.ts';

/** After a longer silence the connection is dead, for example because a tunnel hangs or the machine slept. */
const SILENCE_MS = 2 * ALIVE_EVERY_MS + 5000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;

/**
 * Reads one socket until it ends. Resolves with its close code; null if it fell silent or `signal` aborted. No message
 * is passed on after that.
 */
function readSocket(
  bearer: string,
  signal: AbortSignal,
  onMessage: (message: SocketMessage) => void,
): Promise<number | null> {
  if (signal.aborted) return Promise.resolve(null);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const url = new URL(EVENTS_PATH, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  const cut = (): void => {
    socket.onmessage = null;
    socket.close();
    resolve(null);
  };
  let watchdog = window.setTimeout(cut, SILENCE_MS);
  socket.onopen = () => socket.send(JSON.stringify({ token: bearer } satisfies SocketHello));
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    window.clearTimeout(watchdog);
    watchdog = window.setTimeout(cut, SILENCE_MS);
    onMessage(JSON.parse(data) as SocketMessage);
  };
  socket.onclose = ({ code }) => resolve(code);
  signal.addEventListener('abort', cut);
  return promise.finally(() => {
    window.clearTimeout(watchdog);
    signal.removeEventListener('abort', cut);
  });
}

/** Listens until it is stopped, and reconnects by itself. See `OwnerApi.listen`. */
export function listenToEvents(
  session: PageSession,
  onEvent: Parameters<OwnerApi['listen']>[0],
  onConnection: Parameters<OwnerApi['listen']>[1],
): () => void {
  let isStopped = false;
  let retryMs = FIRST_RETRY_MS;
  let attempt = new AbortController();
  let wake: () => void = () => {};

  const pause = (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? 0 : window.setTimeout(resolve, ms);
      wake = () => {
        window.clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!isStopped) {
      if (session.state() !== 'ready') {
        await pause(null);
        continue;
      }
      attempt = new AbortController();
      const { signal } = attempt;
      const take = (message: SocketMessage): void => {
        if (message.kind === 'event') onEvent(message.event, message.payload);
        if (message.kind !== 'ready') return;
        retryMs = FIRST_RETRY_MS;
        onConnection(true);
      };
      let code: number | null = null;
      try {
        // After failed sockets, browsers delay new ones by up to a minute. They never delay requests, so the node has
        // to prove itself by a request before a socket is opened.
        code = await readSocket(await session.bearer(), signal, take);
      } catch (error) {
        // The token page shows this. The connection is not lost.
        if (errorCode(error) === 'unauthorized') continue;
      }
      session.lost(code);
      if (signal.aborted) continue;
      onConnection(false);
      await pause(retryMs);
      retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs);
    }
  };

  const restart = (): void => {
    attempt.abort();
    wake();
  };
  // Reconnect at once if the network came back, the machine woke up or the page became visible.
  const hurry = (): void => {
    if (session.state() === 'ready' && document.visibilityState === 'visible') wake();
  };
  const endSession = session.subscribe(restart);
  window.addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  void run();

  return () => {
    isStopped = true;
    endSession();
    window.removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', hurry);
    restart();
  };
}
