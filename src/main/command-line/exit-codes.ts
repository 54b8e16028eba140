import type { CareFault } from '../../shared/care/faults.ts';

/** What the program ends with; documented in docs/command-line.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  damaged: 3,
  key: 4,
  busy: 5,
  place: 6,
  newer: 7,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const OF_FAULTS: Readonly<Record<CareFault, ExitCode>> = {
  not_a_backup: EXIT.damaged,
  damaged: EXIT.damaged,
  bad_data: EXIT.damaged,
  newer: EXIT.newer,
  needs_key: EXIT.key,
  needs_passphrase: EXIT.key,
  wrong_key: EXIT.key,
  wrong_passphrase: EXIT.key,
  no_file: EXIT.place,
  no_folder: EXIT.place,
  other_node: EXIT.place,
  no_room: EXIT.place,
  not_empty: EXIT.place,
  nothing_kept: EXIT.place,
  refused: EXIT.failed,
  busy: EXIT.busy,
  cancelled: EXIT.failed,
};

export function exitCodeOf(fault: CareFault): ExitCode {
  return OF_FAULTS[fault];
}

/** What ends a command: a line for whoever typed it, and the code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
