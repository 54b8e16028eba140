import type { EventName, OwnerApi } from '../../shared/owner-api.ts';
import { API_PATH } from './http.ts';
import { currentSession, currentToken, onSessionChange, provenToken, refuseToken } from './session.ts';
import { createSseParser } from './sse.ts';

// EventSource can't send a bearer header; fetch can.

/** The node sends a comment each 15 s: longer silence than this is a dead connection (a tunnel that hangs, a sleep). */
const SILENCE_MS = 35_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5_000;

/** Reads one stream until it ends; `onOpen` when the node has accepted it, `onBytes` at each sign of life. */
async function readStream(
  signal: AbortSignal,
  onOpen: () => void,
  onBytes: () => void,
  onMessage: (event: string, data: string) => void,
): Promise<void> {
  const token = currentToken();
  const response = await fetch(`${API_PATH}events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    cache: 'no-store',
    credentials: 'omit',
    signal,
  });
  if (response.status === 401) refuseToken(token);
  if (!response.ok || response.body === null) return;
  // Before anybody hears of it: the page may be loaded anew then, and must find the token that was taken.
  if (token !== null) provenToken(token);
  onOpen();
  const parse = createSseParser(onMessage);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    parse(value);
  }
}

/** Listens until stopped, coming back by itself; see `OwnerApi.listen`. */
export const listenToEvents: OwnerApi['listen'] = (onEvent, onConnection) => {
  let stopped = false;
  let controller = new AbortController();
  let wake: () => void = () => {};

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = window.setTimeout(resolve, ms);
      wake = () => {
        window.clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS;
    while (!stopped) {
      if (currentSession() !== 'ready') {
        await pause(60_000);
        continue;
      }
      controller = new AbortController();
      const { signal } = controller;
      let watchdog = window.setTimeout(() => controller.abort(), SILENCE_MS);
      const alive = (): void => {
        window.clearTimeout(watchdog);
        watchdog = window.setTimeout(() => controller.abort(), SILENCE_MS);
      };
      try {
        await readStream(
          signal,
          () => {
            retryMs = FIRST_RETRY_MS;
            onConnection(true);
          },
          alive,
          (event, data) => onEvent(event as EventName, JSON.parse(data)),
        );
      } catch {
        // Broken off: told below, like an orderly end.
      }
      window.clearTimeout(watchdog);
      if (stopped) return;
      // A refused token is the token page's to tell, not a lost connection.
      if (currentSession() === 'ready') onConnection(false);
      await pause(retryMs);
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    }
  };

  const restart = (): void => {
    controller.abort();
    wake();
  };
  const endSession = onSessionChange(restart);
  // The network came back, or the machine woke: no need to sit out the pause.
  const hurry = (): void => wake();
  window.addEventListener('online', hurry);
  void run();

  return () => {
    stopped = true;
    endSession();
    window.removeEventListener('online', hurry);
    restart();
  };
};
