import type { CareFault } from '../../shared/care/faults.ts';

/** The exit codes of the program; documented in docs/command-line.md. */
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
/** The meaning of each code, for the help; docs/command-line.md has the same table. */
export const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'the command line is wrong',
  damaged: 'a backup, a store or the audit log is damaged, or the file is not a backup',
  key: 'phrase or passphrase missing or wrong, or the data belongs to another user',
  busy: 'busy: a node runs, or another backup, check, restore or move',
  place: 'a file, a folder, its disk or free space is missing, data is in the way, or no node runs to answer',
  newer: 'made by another version',
};
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

/** Ends a command with a line for its user and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** The advice, if the message does not contain it. */
  readonly hint: string | null;
  /** A word for programs. */
  readonly code: string;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, hint: string | null = null, code?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
    this.code = code ?? Object.entries(EXIT).find(([, each]) => each === exitCode)![0];
  }
}
