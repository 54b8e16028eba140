import { WebSocket } from 'ws';
import { z } from 'zod';
import { EVENTS, RELAYED_EVENTS, type RelayedEvent } from '../../shared/owner-api/events.ts';
import { ALIVE_EVERY_MS, EVENTS_PATH, SOCKET_CLOSE, type SocketHello } from '../../shared/owner-api/socket.ts';
import { faultOf, NodeFault } from './fault.ts';
import { knownMembers } from './known-members.ts';
import { type Pin, trustOnly } from './pinned.ts';

const OPEN_WITHIN_MS = 10_000;
const SILENCE_MS = 2 * ALIVE_EVERY_MS + 5000;
const MAX_MESSAGE_BYTES = 1024 ** 2;
/** A node sends each kind at most four times per second; one that sends far more is disconnected. */
const MOST_A_SECOND = 60;

/** Other kinds than those below come from a newer version. */
const message = z.object({ kind: z.string() });
const eventMessage = z.object({ event: z.enum(RELAYED_EVENTS), payload: z.unknown() });

/** A listener to a node's events. */
export interface Listening {
  readonly onReady: () => void;
  readonly onEvent: (event: RelayedEvent, payload: unknown) => void;
}

/**
 * Listens to a node until the connection ends or `signal` aborts it, and rejects with the NodeFault. Unknown messages
 * and events, and those in another shape, are ignored.
 */
export function listenTo(
  { url, token, ...pin }: Pin & { readonly url: string; readonly token: string },
  { onReady, onEvent }: Listening,
  signal: AbortSignal,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const address = new URL(EVENTS_PATH, url);
  address.protocol = 'wss:';
  const socket = new WebSocket(address, {
    ...trustOnly(pin),
    handshakeTimeout: OPEN_WITHIN_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    headers: { authorization: `Bearer ${token}` },
  });
  const end = (fault: NodeFault): void => {
    reject(fault);
    socket.terminate();
  };
  const watchdog = setTimeout(() => end(new NodeFault('unreachable', 'silent')), SILENCE_MS);
  let second = 0;
  let heard = 0;
  socket.on('open', () => socket.send(JSON.stringify({ token } satisfies SocketHello)));
  socket.on('message', (data, isBinary) => {
    watchdog.refresh();
    const now = Math.floor(performance.now() / 1000);
    heard = now === second ? heard + 1 : 1;
    second = now;
    if (heard > MOST_A_SECOND) return end(new NodeFault('not_a_door', 'too many events'));
    const json = isBinary ? null : parsed(String(data));
    const said = message.safeParse(json);
    if (!said.success) return end(new NodeFault('not_a_door', 'not an event'));
    if (said.data.kind === 'ready') return onReady();
    if (said.data.kind !== 'event') return;
    const told = eventMessage.safeParse(json);
    if (!told.success) return;
    const { event } = told.data;
    const payload = knownMembers(EVENTS[event] as z.ZodType).safeParse(told.data.payload);
    if (payload.success) onEvent(event, payload.data);
  });
  socket.on('unexpected-response', (_request, response) => {
    const status = response.statusCode ?? 0;
    end(new NodeFault(status === 401 || status === 403 ? 'token' : 'unreachable', `status ${status}`));
  });
  socket.on('error', (error) => reject(faultOf(error)));
  socket.on('close', (code) =>
    reject(new NodeFault(code === SOCKET_CLOSE.unauthorized ? 'token' : 'unreachable', `closed with ${code}`)),
  );
  const cut = (): void => end(new NodeFault('unreachable', 'ended'));
  if (signal.aborted) cut();
  signal.addEventListener('abort', cut);
  return promise.finally(() => {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', cut);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
