import type { PortProblem } from '../shared/node-state.ts';

/** What is wrong with a port. */
export type PortFault = Omit<PortProblem, 'kind' | 'message' | 'holder'>;

/**
 * A start that is refused for a reason the operator can mend. The message is one line that says what to do; the entries
 * print it as `wellhouse: <message>` and exit with code 1. It never holds a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The port that can't be had, where that is the reason. */
  readonly port: PortFault | null;

  constructor(message: string, port: PortFault | null = null) {
    super(message);
    this.port = port;
  }
}
