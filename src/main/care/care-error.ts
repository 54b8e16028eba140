import type { CareFault } from '../../shared/care/faults.ts';

/** An expected failure of a backup, a check or a restore. The message is one English line that says what to do. */
export class CareError extends Error {
  override readonly name = 'CareError';
  readonly fault: CareFault;

  constructor(fault: CareFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const FAULTS: Readonly<Record<string, CareFault>> = {
  ENOSPC: 'no_room',
  EDQUOT: 'no_room',
  EFBIG: 'no_room',
  // A store's.
  full: 'no_room',
};

/** Turns a failure into an expected one; a message of the system stays as it is. */
export function careError(error: unknown, doing: string, otherwise: CareFault = 'refused'): CareError {
  if (error instanceof CareError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const fault = FAULTS[code] ?? otherwise;
  const said = fault === 'no_room' ? `the disk is full (${message})` : message;
  return new CareError(fault, `${doing}: ${said.replace(/\s+/g, ' ')}`);
}
