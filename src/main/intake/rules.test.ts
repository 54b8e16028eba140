import { describe, expect, test } from 'vitest';
import { Disposition } from '../../shared/protocol/codes.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { mayKeepSigned } from './rules.ts';

const HEADER = `${'ab'.repeat(32)}|1|2|0`;
const PLAIN = perFieldName((): Disposition => Disposition.PLAIN);

/** Returns whether a raw string may be stored under these dispositions. */
function mayKeep(tail: string, dispositions: Partial<typeof PLAIN>): boolean {
  const raw = Buffer.from(HEADER + tail).toString('hex');
  const block = { deviceId: 'ab'.repeat(32), seq: '1', timestamp: '2', signature: '', raw };
  return mayKeepSigned(block, { dispositions: { ...PLAIN, ...dispositions } });
}

describe('the signed bytes are kept only if they reveal nothing that the policy hides', () => {
  test.each(['', '|ec=1800|ph=6.20', '|co2=400', ' in a composition of its own'])(
    'kept for a device whose fields are all plain: "%s"',
    (tail) => expect(mayKeep(tail, {})).toBe(true),
  );

  test.each([Disposition.OMIT, Disposition.ENCRYPTED])('not kept with a field of disposition %s', (hidden) => {
    expect(mayKeep('|ec=1800|ph=6.20', { ph: hidden })).toBe(false);
    expect(mayKeep('|waterLevel=80', { waterLevel: hidden })).toBe(false);
  });

  test('kept with only a header or plain fields, if another field is hidden', () => {
    expect(mayKeep('', { ph: Disposition.ENCRYPTED })).toBe(true);
    expect(mayKeep('|ec=1800', { ph: Disposition.ENCRYPTED })).toBe(true);
  });

  test.each(['|water_level=80', '|co2=400', ' in a composition of its own', '|toString=1', '|__proto__=1'])(
    'not kept with an unknown name or composition, if a field is hidden: "%s"',
    (tail) => expect(mayKeep(tail, { waterLevel: Disposition.OMIT })).toBe(false),
  );
});
