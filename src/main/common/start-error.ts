import type { FolderStartProblem, PortProblem } from '../../shared/node-state.ts';

/** The fault of a port. */
export type PortFault = Omit<PortProblem, 'kind' | 'message' | 'holder'>;

/** The fault of a data folder. */
export type FolderFault = Omit<FolderStartProblem, 'kind' | 'message'>;

/**
 * A start that is refused for a reason the operator can fix. The message is one line that says what to do; the entries
 * print it as `wellhouse: <message>` and exit with code 1. It never holds a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The unavailable port, if that is the reason. */
  readonly port: PortFault | null;

  /** The data folder that can't be used, where that is the reason. */
  readonly folder: FolderFault | null;

  constructor(message: string, port: PortFault | null = null, folder: FolderFault | null = null) {
    super(message);
    this.port = port;
    this.folder = folder;
  }
}
