import { expect, it } from 'vitest';
import { CareError, careError } from './care-error.ts';

const failure = (code: string) => Object.assign(new Error('it\n  went wrong'), { code });

it('a full disk is one, whichever call of the system or a store says so; the message is one line', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG', 'full']) {
    expect(careError(failure(code), 'the backup was not made')).toMatchObject({
      fault: 'no_room',
      message: 'the backup was not made: the disk is full (it went wrong)',
    });
  }
});

it('any other failure is refused, or what the caller says, and a known one stays', () => {
  expect(careError(failure('EACCES'), 'it')).toMatchObject({ fault: 'refused', message: 'it: it went wrong' });
  expect(careError(failure('EACCES'), 'it', 'bad_data')).toMatchObject({ fault: 'bad_data' });
  expect(careError(failure('ENOSPC'), 'it', 'bad_data')).toMatchObject({ fault: 'no_room' });
  const known = new CareError('damaged', 'the backup is damaged');
  expect(careError(known, 'it', 'bad_data')).toBe(known);
});
