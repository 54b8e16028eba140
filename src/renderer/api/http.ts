import type { Answer, Input, MethodName, Output, OwnerApi } from '../../shared/owner-api/contract.ts';
import { ApiError } from './errors.ts';
import { listenToEvents } from './event-socket.ts';
import type { PageSession } from './session/session.ts';

/** The path of the API. It is absolute, as the page's own path may lack its last slash. */
const API_PATH = '/ui/api/';

function isAnswer(value: unknown): value is Answer<MethodName> {
  return typeof value === 'object' && value !== null && 'ok' in value;
}

async function callOverHttp<M extends MethodName>(
  session: PageSession,
  method: M,
  input: Input<M>,
): Promise<Output<M>> {
  for (let isAgain = false; ; isAgain = true) {
    const bearer = session.bearer();
    const { status, answer } = await post(method, input, session.usesCookie ? null : await bearer);
    if (status === 401) {
      // The node was restarted or reopened its listener. It has to prove itself again.
      session.refused(bearer);
      if (!isAgain) continue;
      throw new ApiError('unauthorized');
    }
    if (!isAnswer(answer)) throw new ApiError(status >= 500 ? 'internal_error' : 'disconnected', `status ${status}`);
    if (!answer.ok) throw new ApiError(answer.error, answer.details);
    return answer.value as Output<M>;
  }
}

async function post(
  method: MethodName,
  input: unknown,
  bearer: string | null,
): Promise<{ status: number; answer: unknown }> {
  try {
    const response = await fetch(`${API_PATH}${method}`, {
      method: 'POST',
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        'content-type': 'application/json',
      },
      body: JSON.stringify(input),
      cache: 'no-store',
      credentials: bearer === null ? 'same-origin' : 'omit',
    });
    return { status: response.status, answer: await response.json() };
  } catch (error) {
    // There is no connection, it was interrupted, or (behind a dead tunnel) the answer is not from the node.
    throw new ApiError('disconnected', error instanceof Error ? error.message : undefined);
  }
}

/** Returns the owner API over HTTP: calls by POST and events by a WebSocket, both with the session's bearer token. */
export function createHttpApi(session: PageSession): OwnerApi {
  return {
    call: (method, input) => callOverHttp(session, method, input),
    listen: (onEvent, onConnection) => listenToEvents(session, onEvent, onConnection),
  };
}
