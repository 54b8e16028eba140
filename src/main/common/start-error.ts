import type { FolderStartProblem, PortProblem, StartProblem } from '../../shared/node-state.ts';
import { portHolder } from './port-holder.ts';

/** The fault of a port. */
export type PortFault = Omit<PortProblem, 'kind' | 'message' | 'holder'>;

/** The fault of a data folder. */
export type FolderFault = Omit<FolderStartProblem, 'kind' | 'message'>;

/**
 * A start that fails for a reason that the operator can fix. The message is one line that names the remedy; the entry
 * points print it as `wellhouse: <message>` and exit with code 1. It never contains a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The unavailable port, if that is the reason. */
  readonly port: PortFault | null;

  /** The unusable data folder, if that is the reason. */
  readonly folder: FolderFault | null;

  constructor(message: string, port: PortFault | null = null, folder: FolderFault | null = null) {
    super(message);
    this.port = port;
    this.folder = folder;
  }
}

/** Returns a failed start in the form for display. */
export async function startProblemOf(error: StartError): Promise<StartProblem> {
  const message = error.message.replace(/\s+/g, ' ');
  if (error.folder !== null) return { kind: 'folder', ...error.folder, message };
  if (error.port === null) return { kind: 'other', message };
  const holder = error.port.reason === 'taken' ? await portHolder(error.port.port) : null;
  return { kind: 'port', ...error.port, holder, message };
}
