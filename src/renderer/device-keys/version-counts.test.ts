import { expect, it } from 'vitest';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { VersionCounter } from './version-counts.ts';

const sealed = { cipher: 'aa'.repeat(20), nonce: 'bb'.repeat(12) };
const ok = { ok: true, value: 1, keyIndex: 0 } as const;
const wrong = { ok: false, reason: 'wrong_key', keyVersion: 2 } as const;

it('counts readings by key version and failures by cause; plain fields belong to no key', () => {
  const none = perFieldName(() => null);
  const reading = (keyVersion: number, fields: object) => {
    return { seq: '1', receivedAt: 1, keyVersion, fields: { ...none, ...fields } };
  };
  const both = { ph: sealed, ec: sealed };
  const counter = new VersionCounter();
  counter.add(reading(0, { ph: 1 }), undefined);
  counter.add(reading(1, both), { ph: ok, ec: ok });
  counter.add(reading(2, both), { ph: ok, ec: wrong });
  counter.add(reading(2, both), { ph: wrong, ec: wrong });
  counter.add(reading(2, both), { ph: ok });
  expect(counter.counts()).toEqual([
    { keyVersion: 2, opened: 0, failed: 2, untried: 1, reasons: { wrong_key: 3 } },
    { keyVersion: 1, opened: 1, failed: 0, untried: 0, reasons: {} },
  ]);
});
