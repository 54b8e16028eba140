import { randomBytes } from 'node:crypto';
import { bytesToHex } from '../src/shared/crypto/hex.ts';
import { sealField } from '../src/shared/crypto/keyring/field-cipher.ts';
import { NonceRegistry } from '../src/shared/crypto/keyring/nonce-registry.ts';
import { openReadings } from '../src/shared/crypto/keyring/opening.ts';
import { FIELD_NAMES, perFieldName } from '../src/shared/protocol/fields.ts';
import type { Bench } from './bench.ts';

const READINGS = 500;
const RUNS = 5;
/** The page decrypts them in its worker; a reader notices a longer wait than this, in milliseconds. */
const LONGEST_MS = 150;

/** Row 16: the time to decrypt a page of readings with every field encrypted, in the code that the page runs. */
export function openingRow(bench: Bench): void {
  const key = randomBytes(32);
  const seal = (value: number) => {
    const nonce = randomBytes(12);
    return { cipher: bytesToHex(sealField(key, value, nonce)), nonce: bytesToHex(nonce) };
  };
  const readings = Array.from({ length: READINGS }, (_, seq) => ({
    ...{ seq: String(seq), receivedAt: seq, keyVersion: 0 },
    fields: perFieldName(() => seal(seq)),
  }));
  const time = (): number => {
    const before = process.cpuUsage();
    openReadings(readings, () => [key], new NonceRegistry());
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const value = Math.min(...Array.from({ length: RUNS }, time));
  const what = `opening ${READINGS} readings of ${FIELD_NAMES.length} sealed fields, processor time`;
  bench.add({ row: 16, what, value, unit: 'ms', target: { atMost: LONGEST_MS }, detail: `best of ${RUNS}` });
}
