import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { type BlockInput, SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, postBlocks, readingsOf, register } from '../support/client.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';
import { runs } from '../support/thorough.ts';

// However blocks are split into requests, and those into what travels together inside of the node: what is kept and what
// is answered is what a plain reading of the rules says.

const node = runningNode();

type Kind = 'good' | 'forged' | 'mismatched' | 'malformed' | 'stranger' | 'sealed' | 'withheld';

/** A block to be sent: what is wrong with it, of which device, and a value by which it is known again. */
interface Planned {
  readonly kind: Kind;
  readonly device: number;
  readonly seq: number;
  readonly value: number;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  kind: fc.oneof(
    { arbitrary: fc.constant<Kind>('good'), weight: 8 },
    {
      arbitrary: fc.constantFrom<Kind>('forged', 'mismatched', 'malformed', 'stranger', 'sealed', 'withheld'),
      weight: 4,
    },
  ),
  device: fc.nat({ max: 2 }),
  // Few, so that many are sent twice with other values.
  seq: fc.nat({ max: 60 }),
  value: fc.integer({ min: 100, max: 999 }),
});

/** Sizes of requests that are sent one after the other, and of those that are under way at the same time. */
const plan = fc.record({
  blocks: fc.array(planned, { minLength: 1, maxLength: 260, size: 'max' }),
  split: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 }),
});

const CIPHER = 'ab'.repeat(20);
const NONCE = 'cd'.repeat(12);

function blockOf(devices: Devices, { kind, device, seq, value }: Planned): BlockInput {
  const sender =
    kind === 'stranger' ? devices.stranger : kind === 'withheld' ? devices.elsewhere : devices.own[device]!;
  const tail = `|waterLevel=${value}`;
  const json = { waterLevel: { plain: value } };
  if (kind === 'sealed') return handWritten(sender, { seq, json: { ph: { cipher: CIPHER, nonce: NONCE } } });
  if (kind === 'mismatched') return handWritten(sender, { seq, tail, json: { waterLevel: { plain: value + 1 } } });
  const block = handWritten(sender, { seq, tail, json });
  if (kind === 'malformed') return { ...block, timestamp: '01' };
  return kind === 'forged' ? { ...block, signature: devices.forged } : block;
}

interface Devices {
  readonly own: readonly SimulatedDevice[];
  /** Kept in the other store alone. */
  readonly elsewhere: SimulatedDevice;
  readonly stranger: SimulatedDevice;
  /** A signature of something else. */
  readonly forged: string;
}

async function newDevices(url: string, elsewherePublishTo: number): Promise<Devices> {
  const own = [0, 1, 2].map(() => new SimulatedDevice());
  const elsewhere = new SimulatedDevice();
  for (const device of own) expect((await register(url, device.registration())).status).toBe(201);
  const registration = { ...elsewhere.registration(), publishTo: elsewherePublishTo };
  expect((await register(url, registration)).status).toBe(201);
  return { own, elsewhere, stranger: new SimulatedDevice(), forged: handWritten(elsewhere, { seq: 9 }).signature };
}

const ERRORS: Record<Kind, string | null> = {
  good: null,
  sealed: null,
  withheld: null,
  forged: 'Invalid signature for device',
  mismatched: 'Raw/JSON mismatch for device',
  malformed: 'Invalid block: timestamp',
  stranger: 'Device not found',
};

describe.each(ENDPOINTS)('on the %s endpoint', (endpoint) => {
  test('any split of any blocks gives the outcomes and the readings of a simple reference', async () => {
    const url = node.url(endpoint);
    await fc.assert(
      fc.asyncProperty(plan, async ({ blocks, split }) => {
        const devices = await newDevices(url, endpoint === 'public' ? 0 : 1);
        const kept = devices.own.map(() => new Map<number, Planned>());
        for (let from = 0, request = 0; from < blocks.length; request += 1) {
          const sent = blocks.slice(from, from + split[request % split.length]!);
          from += sent.length;
          for (const block of sent) {
            if (block.kind !== 'good' && block.kind !== 'sealed') continue;
            const known = kept[block.device]!;
            if (!known.has(block.seq)) known.set(block.seq, block);
          }
          const { status, accepted, errors } = await postBlocks(
            url,
            sent.map((block) => blockOf(devices, block)),
          );
          const failed = sent.filter(({ kind }) => ERRORS[kind] !== null);
          expect([status, accepted]).toEqual([failed.length === 0 ? 200 : 207, sent.length - failed.length]);
          expect(errors).toEqual(
            failed.map(({ kind, seq }) => ({ seq: String(seq), error: expect.stringContaining(ERRORS[kind]!) })),
          );
        }
        for (const [index, device] of devices.own.entries()) {
          const readings = await readingsOf(url, device.id);
          const expected = [...kept[index]!.values()].sort((a, b) => b.seq - a.seq);
          expect(readings.map(({ seq }) => Number(seq))).toEqual(expected.map(({ seq }) => seq));
          for (const [place, { kind, value }] of expected.entries()) {
            const { waterLevel, ph, ...others } = readings[place]!;
            expect(waterLevel).toEqual(kind === 'good' ? { value } : null);
            expect(ph).toEqual(kind === 'sealed' ? { encrypted: CIPHER } : null);
            const left = FIELD_NAMES.filter((name) => name !== 'waterLevel' && name !== 'ph');
            expect(left.map((name) => others[name as keyof typeof others])).toEqual(left.map(() => null));
          }
        }
        expect(await readingsOf(url, devices.elsewhere.id)).toEqual([]);
      }),
      runs(8, 60),
    );
  }, 90_000);

  test('blocks that are split over simultaneous requests are each stored once, in one of the sent forms', async () => {
    const url = node.url(endpoint);
    await fc.assert(
      fc.asyncProperty(plan, async ({ blocks, split }) => {
        const devices = await newDevices(url, endpoint === 'public' ? 0 : 1);
        const sent = blocks.map((block) => ({ ...block, kind: 'good' as const }));
        const requests: Planned[][] = [];
        for (let from = 0; from < sent.length; from += requests.at(-1)!.length) {
          requests.push(sent.slice(from, from + split[requests.length % split.length]!));
        }
        const results = await Promise.all(
          requests.map((request) =>
            postBlocks(
              url,
              request.map((block) => blockOf(devices, block)),
            ),
          ),
        );
        expect(results).toEqual(requests.map(({ length }) => ({ status: 200, accepted: length, errors: [] })));
        for (const [index, device] of devices.own.entries()) {
          const own = sent.filter((block) => block.device === index);
          const readings = await readingsOf(url, device.id);
          const seqs = [...new Set(own.map(({ seq }) => seq))].sort((a, b) => b - a);
          expect(readings.map(({ seq }) => Number(seq))).toEqual(seqs);
          for (const { seq, waterLevel } of readings) {
            const forms = own.filter((block) => block.seq === Number(seq)).map(({ value }) => ({ value }));
            expect(forms).toContainEqual(waterLevel);
          }
        }
      }),
      runs(5),
    );
  }, 90_000);
});
