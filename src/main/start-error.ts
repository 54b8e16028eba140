import type { Destination } from '../shared/protocol/codes.ts';

/**
 * A start that is refused for a reason the operator can mend. The message is one line that says what to do; the entries
 * print it as `wellhouse: <message>` and exit with code 1. It never holds a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /** The port that is taken, where that is the reason. */
  readonly takenPort: { readonly destination: Destination; readonly port: number } | null;

  constructor(message: string, takenPort: StartError['takenPort'] = null) {
    super(message);
    this.takenPort = takenPort;
  }
}
