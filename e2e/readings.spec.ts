import type { Page } from '@playwright/test';
import { dewPoint, vapourPressureDeficit } from '../src/shared/measures/air.ts';
import { SENSOR_FIELDS } from '../src/shared/protocol/fields.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { queryStore } from '../test/support/store-file.ts';
import { parseCsv } from './support/csv.ts';
import { minutes, registered, send } from './support/devices.ts';
import { exported } from './support/exported.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

const COUNT = 2321;
const SHOWN = 500;
const SEALED_FROM = 2001;

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: '=HYPERLINK("http://evil.example")' }, { publishTo: 0 });
  const end = Date.now();
  const sealedCount = COUNT - SEALED_FROM + 1;
  await send(started, 'local', minutes(device, { count: SEALED_FROM - 1, endAt: end - sealedCount * 60_000 }));
  await send(
    started,
    'local',
    minutes(device, { count: sealedCount, endAt: end, firstSeq: SEALED_FROM, sealed: ['ec'] }),
  );
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Readings' });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** The derived values of a stored reading, as a file has them. */
function derivedOf(row: Record<string, unknown>): { readonly vpd: number; readonly dewPoint: number } {
  const [celsius, humidity] = [shortest(row.temp_ambient), shortest(row.humidity)];
  const rounded = (value: number | null, digits: number) => Number(value!.toFixed(digits));
  return {
    vpd: rounded(vapourPressureDeficit(celsius, humidity), 3),
    dewPoint: rounded(dewPoint(celsius, humidity), 2),
  };
}

/** All readings of the private store, oldest first, with their fields as the store keeps them. */
function stored(): Record<string, unknown>[] {
  return queryStore(node().dataDir, 'local', 'SELECT * FROM readings ORDER BY seq');
}

test('copied and exported readings match the store', async ({ page, context }) => {
  await test.step('a button copies a row and shows its raw JSON', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // All readings; the spec of paging looks at ranges.
    await openOwner(page, node(), `#/device/${device.id}?range=all`);
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(SHOWN + 1));

    await page.getByRole('button', { name: 'Copy reading 2320' }).click();
    await expect.poll(() => clipboard(page)).toContain('2320\t');
    await page.getByRole('button', { name: 'Show reading 2320 as JSON' }).click();
    const drawer = page.getByRole('dialog', { name: 'Reading 2320' });
    const json = JSON.parse((await drawer.locator('code, pre').first().textContent())!);
    const row = stored().at(-2)!;
    expect(json).toMatchObject({ seq: '2320', keyVersion: 3, store: 'private', timestamp: String(row.timestamp) });
    const blob = row.ec as Buffer;
    expect(json.fields.ec).toEqual({ nonce: blob.toString('hex', 0, 12), cipher: blob.toString('hex', 12) });
    expect(json.fields.ph).toBe(row.ph);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
  });
  await test.step('exports a whole range as CSV, and every cell matches the database', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // All readings; the spec of paging looks at ranges.
    await openOwner(page, node(), `#/device/${device.id}?range=all`);
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(SHOWN + 1));

    const { name, text } = await exported(page, 'CSV', true);
    const time = String.raw`\d{4}-\d\d-\d\dT\d{4}`;
    expect(name).toMatch(new RegExp(`^wellhouse_hyperlink-http-evil-example_${time}_${time}_readings\\.csv$`));
    const [header, ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
    expect(header!.slice(0, 9)).toEqual([
      ...['seq', 'time', 'time_local (America/Sao_Paulo)', 'timestamp_ms', 'received_at'],
      ...['received_local (America/Sao_Paulo)', 'delay_s', 'ph', 'ec (ppm, 500 scale)'],
    ]);
    const local = (ms: number) => new Date(ms - 3 * 3_600_000).toISOString().replace('T', ' ').slice(0, 19);
    const expected = stored().map((row) => {
      const [timestamp, received] = [Number(row.timestamp), Number(row.received_at)];
      const fields = [row.ph, row.ec, row.water_level, row.temp_water, row.temp_ambient, row.humidity];
      return [
        String(row.seq),
        new Date(timestamp).toISOString(),
        local(timestamp),
        String(timestamp),
        new Date(received).toISOString(),
        local(received),
        String((received - timestamp) / 1000),
        ...fields.map((value) =>
          Buffer.isBuffer(value) ? 'sealed v3' : value === null ? '' : String(shortest(value)),
        ),
        String(row.key_version),
        'private',
        ...Object.values(derivedOf(row)).map(String),
      ];
    });
    expect(rows).toHaveLength(COUNT);
    expect(rows).toEqual(expected);
  });
  await test.step('exports a whole range as NDJSON with everything needed to open sealed values', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // All readings; the spec of paging looks at ranges.
    await openOwner(page, node(), `#/device/${device.id}?range=all`);
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(SHOWN + 1));

    const { name, text } = await exported(page, 'NDJSON', true);
    expect(name).toMatch(/\.ndjson$/);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(COUNT);
    const expected = stored().map((row) => {
      const value = (column: string) => {
        const kept = row[column];
        if (!Buffer.isBuffer(kept)) return kept === null ? null : shortest(kept);
        return { cipher: kept.toString('hex', 12), nonce: kept.toString('hex', 0, 12) };
      };
      return {
        seq: String(row.seq),
        timestamp: String(row.timestamp),
        keyVersion: Number(row.key_version),
        ...Object.fromEntries(SENSOR_FIELDS.map(({ name, policyName }) => [name, value(policyName)])),
        derived: derivedOf(row),
      };
    });
    expect(lines.map(({ time, receivedAt, delaySeconds, store, units, ...rest }) => rest)).toEqual(expected);
    expect(lines[0]!.units).toMatchObject({ ec: 'ppm, 500 scale', tempWater: '°C' });
  });
});

/** A stored value as it should be exported: the shortest decimal of the float32 that it was. */
const shortest = (value: unknown) => Number((value as number).toPrecision(7));
