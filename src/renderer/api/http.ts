import type { Answer, Input, MethodName, Output, OwnerApi } from '../../shared/owner-api.ts';
import { ApiError } from './errors.ts';
import { currentToken, provenToken, refuseToken } from './session.ts';
import { listenShared } from './shared-events.ts';

/** Where the calls of the browser home are; an absolute path, since the page's own may lack its last slash. */
export const API_PATH = '/ui/api/';

function isAnswer(value: unknown): value is Answer<MethodName> {
  return typeof value === 'object' && value !== null && 'ok' in value;
}

async function call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>> {
  const token = currentToken();
  if (token === null) {
    refuseToken(null);
    throw new ApiError('unauthorized');
  }
  let answer: unknown;
  let status = 0;
  try {
    const response = await fetch(`${API_PATH}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
      cache: 'no-store',
      credentials: 'omit',
    });
    status = response.status;
    answer = await response.json();
  } catch (error) {
    // No connection, one that broke off, or (behind a dead tunnel) an answer that is not ours.
    throw new ApiError('disconnected', error instanceof Error ? error.message : undefined);
  }
  if (status === 401) {
    refuseToken(token);
    throw new ApiError('unauthorized');
  }
  if (!isAnswer(answer)) throw new ApiError(status >= 500 ? 'internal_error' : 'disconnected', `status ${status}`);
  provenToken(token);
  if (!answer.ok) throw new ApiError(answer.error, answer.details);
  return answer.value as Output<M>;
}

/** The owner API over HTTP: calls by POST, events by a stream. */
export function createHttpApi(): OwnerApi {
  return { call, listen: listenShared };
}
