import { desktop } from '../../api/desktop.ts';
import type { KeyFile } from '../../api/queries/keystore.ts';
import type { FileProblem, KeyFault, KeySessionState } from '../types.ts';
import type { OpenAnswer, Operations } from '../worker/protocol.ts';

/** Returns the state of a page without keys. `seen` is what the worker found in the file; null if there is no file. */
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

/** Returns the state after a failed attempt to unlock. It changes if the file is damaged or from a newer version. */
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
 * Returns the problem of a file that did not open with the current key; null if it only has another key. `answer` is
 * null if there is no file.
 */
export function problemOf(answer: Extract<OpenAnswer, { ok: false }> | null): FileProblem | null {
  if (answer === null) return 'missing';
  return answer.reason === 'damaged' || answer.reason === 'newer_version' ? answer.reason : null;
}
