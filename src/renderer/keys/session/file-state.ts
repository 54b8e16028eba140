import { desktop } from '../../api/desktop.ts';
import type { KeyFile } from '../../api/queries/keystore.ts';
import type { FileProblem, KeyFault, KeySessionState } from '../types.ts';
import type { OpenAnswer, Operations } from '../worker/protocol.ts';

/** The state of a page without keys, from what the worker found in the file (`seen`; null: there is no file). */
export function stateOfFile(
  { previous }: KeyFile,
  seen: Operations['inspect']['output'] | null,
  before: KeySessionState,
): KeySessionState {
  if (seen === null) return { status: 'absent', hasPrevious: previous !== null };
  if (seen.state === 'damaged') return { status: 'damaged', hasPrevious: previous !== null };
  if (seen.state === 'newer_version') return { status: 'newer_version' };
  const { failure, lockedBy } = before.status === 'locked' ? before : { failure: null, lockedBy: null };
  return { status: 'locked', failure, lockedBy, isRemembered: seen.osWrap !== null && desktop !== null };
}

/** The state after a failed attempt to unlock: as before, or what the file turned out to be. */
export function stateAfterFailure(
  before: KeySessionState,
  code: KeyFault | null,
  { previous }: KeyFile,
): KeySessionState {
  if (before.status !== 'locked') return before;
  if (code === 'damaged') return { status: 'damaged', hasPrevious: previous !== null };
  if (code === 'newer_version') return { status: 'newer_version' };
  return { ...before, failure: code === 'wrong_passphrase' || code === 'wrong_key' ? code : null };
}

/**
 * The problem of a file that did not open with the current key (`answer` null: there is no file); null if it only has
 * another key.
 */
export function problemOf(answer: Extract<OpenAnswer, { ok: false }> | null): FileProblem | null {
  if (answer === null) return 'missing';
  return answer.reason === 'damaged' || answer.reason === 'newer_version' ? answer.reason : null;
}
