import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { FieldPolicy } from '../../src/shared/protocol/device.ts';
import { accept, type FieldOutput, handWritten, onlyReadingOf, registeredDevice } from '../support/client.ts';
import { ENDPOINTS, type Endpoint, isOverPostgres, runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { queryStore } from '../support/store-file.ts';

const node = runningNode({ args: ['--ui'] });
const NAMES = ['omit', 'plain', 'encrypted'] as const;
const CIPHER = 'ab'.repeat(20);
const SEALED = { cipher: CIPHER, nonce: '22'.repeat(12) };
const VALUE = { value: 6.2 };
const ENCRYPTED = { encrypted: CIPHER };

/** The disposition, what is stored of a plain value, and what is stored of a sealed one. */
const TABLE: readonly (readonly [0 | 1 | 2, FieldOutput, FieldOutput])[] = [
  [0, null, null],
  [1, VALUE, ENCRYPTED],
  [2, null, ENCRYPTED],
];

/** Stores one block with ph in plain (signed) and one with ph sealed, and returns the outcome for ph in each. */
async function storedUnder(url: string, ph: FieldPolicy | undefined): Promise<[FieldOutput, FieldOutput]> {
  const outcome: FieldOutput[] = [];
  for (const content of [{ tail: '|ph=6.20', json: { ph: { plain: 6.2 } } }, { json: { ph: SEALED } }]) {
    const device = await registeredDevice(url, { privacyPolicy: ph === undefined ? {} : { ph } });
    await accept(url, handWritten(device, content));
    outcome.push((await onlyReadingOf(url, device.id)).ph);
  }
  return outcome as [FieldOutput, FieldOutput];
}

describe.each(ENDPOINTS)('dispositions, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  const nodeKey = () => node.process.started.publicKey;
  const otherNode = randomBytes(32).toString('hex');

  test.each(TABLE)('default_disposition %i', async (disposition, ofPlain, ofSealed) => {
    expect(await storedUnder(url(), { default_disposition: disposition })).toEqual([ofPlain, ofSealed]);
  });

  test.each(TABLE)("per_destination %i for this node's key wins over the default", async (own, ofPlain, ofSealed) => {
    for (const other of [0, 1, 2] as const) {
      const ph: FieldPolicy = { default_disposition: other, per_destination: { [nodeKey()]: own } };
      expect(await storedUnder(url(), ph)).toEqual([ofPlain, ofSealed]);
    }
  });

  test.each(TABLE)("per_destination %i for this node's key in upper case", async (own, ofPlain, ofSealed) => {
    const ph: FieldPolicy = {
      default_disposition: own === 1 ? 0 : 1,
      per_destination: { [nodeKey().toUpperCase()]: own },
    };
    expect(await storedUnder(url(), ph)).toEqual([ofPlain, ofSealed]);
  });

  test.each(TABLE)(
    'rules for topics and for other nodes have no effect here (default %i)',
    async (own, ofPlain, ofSealed) => {
      const different = own === 0 ? 1 : 0;
      const ph: FieldPolicy = {
        default_disposition: own,
        per_destination: { [otherNode]: different, 'farm/north': different, public: different, local: different },
      };
      expect(await storedUnder(url(), ph)).toEqual([ofPlain, ofSealed]);
    },
  );

  test('a destination named like a member of every object is no rule', async () => {
    const ph = { default_disposition: 0, per_destination: { constructor: 1, toString: 1 } } as FieldPolicy;
    expect(await storedUnder(url(), ph)).toEqual([null, null]);
  });

  test('a field left out of the policy is PLAIN', async () => {
    expect(await storedUnder(url(), undefined)).toEqual([VALUE, ENCRYPTED]);
  });

  test('without a policy every field is PLAIN', async () => {
    const device = await registeredDevice(url(), { privacyPolicy: undefined } as never);
    await accept(url(), handWritten(device, { tail: '|ph=6.20', json: { ph: { plain: 6.2 }, ec: SEALED } }));
    expect(await onlyReadingOf(url(), device.id)).toMatchObject({ ph: VALUE, ec: ENCRYPTED });
  });

  test('each field follows its own policy within one block', async () => {
    const device = await registeredDevice(url(), {
      privacyPolicy: {
        ph: { default_disposition: 0 },
        ec: { default_disposition: 1 },
        humidity: { default_disposition: 2 },
      },
    });
    const tail = '|ph=6.20|ec=900|humidity=60.00|tempWater=1.50';
    const json = { ph: { plain: 6.2 }, ec: { plain: 900 }, humidity: { plain: 60 }, tempWater: { plain: 1.5 } };
    await accept(url(), handWritten(device, { tail, json }));
    expect(await onlyReadingOf(url(), device.id)).toMatchObject({
      ph: null,
      ec: { value: 900 },
      humidity: null,
      tempWater: { value: 1.5 },
    });
  });

  test.skipIf(isOverPostgres && endpoint === 'public')(
    'what was dropped is nowhere in the store, and is counted per field and cause',
    async () => {
      const device = await registeredDevice(url(), {
        privacyPolicy: { ph: { default_disposition: 0 }, ec: { default_disposition: 2 } },
      });
      for (let seq = 1; seq <= 2; seq += 1) {
        const json = { ph: { plain: 6.2 }, ec: { plain: 900 } };
        await accept(url(), handWritten(device, { seq, tail: '|ph=6.20|ec=900', json }));
      }
      await expect
        .poll(() => withheld(endpoint, device.id), { timeout: 60_000 })
        .toEqual([
          { cause: 'encrypted_only', field: 'ec', count: 2 },
          { cause: 'omit', field: 'ph', count: 2 },
        ]);
      const rows = queryStore(
        node.process.dataDir,
        endpoint,
        'SELECT readings.ph, readings.ec FROM readings JOIN devices USING (device) WHERE devices.id = ?',
        Buffer.from(device.id, 'hex'),
      );
      expect(rows).toEqual([
        { ph: null, ec: null },
        { ph: null, ec: null },
      ]);
    },
  );

  test.each(TABLE)('no policy stops a reading: disposition %i of every field', async (disposition) => {
    const policy = { default_disposition: disposition };
    const device = await registeredDevice(url(), { privacyPolicy: { ph: policy, ec: policy, humidity: policy } });
    await accept(url(), handWritten(device, { seq: 9, tail: '|ph=6.20', json: { ph: { plain: 6.2 } } }));
    expect((await onlyReadingOf(url(), device.id)).seq, NAMES[disposition]).toBe(9n);
  });
});

async function withheld(endpoint: Endpoint, id: string): Promise<object[]> {
  const { withheld: all } = await call(node.process, 'device', { id });
  const of = endpoint === 'public' ? 'public' : 'private';
  return all.flatMap(({ store, cause, field, count }) => (store === of ? [{ cause, field, count }] : []));
}
