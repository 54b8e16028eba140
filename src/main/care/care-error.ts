import type { CareFault } from '../../shared/care/faults.ts';

/** An expected failure of a backup, a check or a restore. The message is one English line that names the remedy. */
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
  // The code of a store.
  full: 'no_room',
};

/** Converts a failure to a CareError. The system's message is kept. */
export function careError(error: unknown, doing: string, otherwise: CareFault = 'refused'): CareError {
  if (error instanceof CareError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const fault = FAULTS[code] ?? otherwise;
  const said = fault === 'no_room' ? `the disk is full (${message})` : message;
  return new CareError(fault, `${doing}: ${said.replace(/\s+/g, ' ')}`);
}
