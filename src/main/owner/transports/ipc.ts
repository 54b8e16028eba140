import type { BridgeAnswer } from '../../../shared/desktop-api.ts';
import { CHANNELS } from '../../../shared/desktop-channels.ts';
import type { JsonAnswer } from '../api/calls.ts';
import type { OnEvent } from '../api/events.ts';
import { type Caller, LOCAL_OWNER } from '../caller.ts';

/** Answers owner calls, whether or not a node runs. */
export interface OwnerSide {
  /** Checks the method and its input by the contract. Never rejects. */
  callJson(caller: Caller, method: string, input: unknown): Promise<JsonAnswer>;
  listen(onEvent: OnEvent): () => void;
}

/** The used part of Electron's ipcMain. */
export interface IpcHandlers<Event> {
  handle(channel: string, handler: (event: Event, ...values: unknown[]) => unknown): void;
}

/**
 * Returns a function that handles a channel. A call is answered only if its sender is our own page. Otherwise it
 * rejects with a text that reveals nothing.
 */
export function guardedHandler<Event>(ipc: IpcHandlers<Event>, isOurs: (event: Event) => boolean) {
  return (channel: string, handler: (...values: unknown[]) => unknown): void => {
    ipc.handle(channel, (event, ...values) => {
      if (!isOurs(event)) throw new Error('refused');
      return handler(...values);
    });
  };
}

/**
 * Carries the owner API over IPC. `send` sends to the page, if there is one. Returns a function that stops the events.
 */
export function ownerOverIpc(
  handle: ReturnType<typeof guardedHandler>,
  owner: OwnerSide,
  send: (channel: string, ...values: unknown[]) => void,
): () => void {
  handle(CHANNELS.ownerCall, async (method, input): Promise<BridgeAnswer> => {
    if (typeof method !== 'string') return { ok: false, error: 'unknown_method' };
    const answer = await owner.callJson(LOCAL_OWNER, method, input);
    if (!answer.ok) return answer;
    return { ok: true, json: typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json) };
  });
  return owner.listen((event, payload) => send(CHANNELS.ownerEvent, event, payload));
}
