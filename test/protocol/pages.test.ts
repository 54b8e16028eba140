import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseJson64 } from '../../src/shared/protocol/json64.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, type DeviceJson, handWritten, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const LAST = 2n ** 64n - 1n;

/** In the order of the endpoint, with ties and with values that are negative as signed integers. */
const NEWEST_FIRST: readonly (readonly [seq: bigint, timestamp: bigint])[] = [
  [7n, LAST],
  [2n ** 63n, 2n ** 63n],
  [2n ** 63n - 1n, 2n ** 63n],
  [30n, 2n ** 63n],
  [LAST, 1000n],
  [20n, 1000n],
  [10n, 1000n],
  [2n ** 53n + 1n, 0n],
  [0n, 0n],
];
const SEQS = NEWEST_FIRST.map(([seq]) => seq);

describe.each(ENDPOINTS)('pages, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await registeredDevice(url());
    for (const index of [4, 8, 0, 3, 6, 1, 7, 2, 5]) {
      const [seq, timestamp] = NEWEST_FIRST[index]!;
      await accept(url(), handWritten(device, { seq, timestamp }));
    }
  });

  const ask = (path: string) => send(`${url()}/v1/devices${path}`);
  async function seqsOf(query: string): Promise<bigint[]> {
    const reply = await ask(`/${device.id}/telemetry${query}`);
    expect(reply.status, reply.text).toBe(200);
    const { readings } = parseJson64(reply.text) as { readings: { seq: number | bigint }[] };
    return readings.map(({ seq }) => BigInt(seq));
  }

  test.each([1, 2, 3, 4, 9, 500])(
    'pages of %d readings return all once, in the order of the endpoint',
    async (limit) => {
      const seen: bigint[] = [];
      for (let query = `?limit=${limit}`; ; query = `?limit=${limit}&before=${seen.at(-1)}`) {
        const page = await seqsOf(query);
        expect(page.length).toBeLessThanOrEqual(limit);
        if (page.length === 0) break;
        seen.push(...page);
      }
      expect(seen).toEqual(SEQS);
    },
  );

  test('a page has the same readings as the whole list', async () => {
    const { text } = await ask(`/${device.id}/telemetry`);
    expect((await ask(`/${device.id}/telemetry?limit=500`)).text).toBe(text);
  });

  test('a page after an unknown seq starts with the next lower one', async () => {
    expect(await seqsOf('?before=25&limit=2')).toEqual([20n, 10n]);
    expect(await seqsOf(`?before=${LAST - 1n}`)).toEqual(SEQS.slice(1));
    expect(await seqsOf('?before=0')).toEqual([]);
  });

  test('an unknown device has no pages', async () => {
    const reply = await ask(`/${randomBytes(32).toString('hex')}/telemetry?limit=5&before=1`);
    expect([reply.status, reply.json]).toEqual([200, { readings: [] }]);
  });

  const NUMBERS = ['0', '-1', '+1', '01', '1.0', '1e1', '', 'x', '%20', '1&limit=2', '99999999999999999999'];
  test.each([
    ...NUMBERS.map((value) => `/ID/telemetry?limit=${value}`),
    ...NUMBERS.map((value) => `?limit=${value}`),
    ...['/ID/telemetry?limit=501', '?limit=1001'],
    ...['-1', '+1', '01', '1.0', '', 'x', `${LAST + 1n}`, '1&before=2'].map((value) => `/ID/telemetry?before=${value}`),
    ...['', 'xyz', 'ab', 'zz'.repeat(32), 'ab'.repeat(33), `ID&after=ID`].map((value) => `?after=${value}`),
  ])('%s is refused', async (path) => {
    const reply = await ask(path.replaceAll('ID', device.id));
    expect(reply.status, reply.text).toBe(400);
    const { error, details } = reply.json as { error: string; details: readonly { readonly path: unknown }[] };
    expect([error, details[0]!.path]).toEqual(['validation_error', [/[?&](\w+)=/.exec(path)![1]]]);
  });

  test('pages of devices are in the order of registration', async () => {
    for (let count = 0; count < 5; count += 1) await registeredDevice(url());
    const idsIn = (text: string) => (JSON.parse(text) as { devices: DeviceJson[] }).devices.map(({ id }) => id);
    const whole = await ask('');
    expect((await ask('?limit=1000')).text).toBe(whole.text);
    const seen: string[] = [];
    for (let query = '?limit=2'; ; query = `?limit=2&after=${seen.at(-1)?.toUpperCase()}`) {
      const ids = idsIn((await ask(query)).text);
      if (ids.length === 0) break;
      seen.push(...ids);
    }
    expect(seen).toEqual(idsIn(whole.text));
    expect(idsIn((await ask(`?after=${seen[1]}`)).text)).toEqual(seen.slice(2));
    const unknown = await ask(`?after=${'ab'.repeat(32)}`);
    expect([unknown.status, (unknown.json as { error: string }).error]).toEqual([400, 'validation_error']);
  });

  test('other parameters change nothing', async () => {
    expect(await seqsOf('?Limit=1&offset=3')).toEqual(SEQS);
    expect((await ask('?page=2')).status).toBe(200);
  });
});
