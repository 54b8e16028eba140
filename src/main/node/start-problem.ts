import type { StartProblem } from '../../shared/node-state.ts';
import { portHolder } from '../common/port-holder.ts';
import type { StartError } from '../common/start-error.ts';

/** A failed start as it is shown. */
export async function startProblemOf(error: StartError): Promise<StartProblem> {
  const message = error.message.replace(/\s+/g, ' ');
  if (error.folder !== null) return { kind: 'folder', ...error.folder, message };
  if (error.port === null) return { kind: 'other', message };
  const holder = error.port.reason === 'taken' ? await portHolder(error.port.port) : null;
  return { kind: 'port', ...error.port, holder, message };
}
