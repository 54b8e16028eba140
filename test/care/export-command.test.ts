import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { writeOldReadings } from '../support/old-readings.ts';
import { GREENHOUSE, unpackReferenceData } from '../support/reference-data.ts';
import { answerOf, startCommand, wellhouse } from '../support/wellhouse.ts';

const MINUTE = 60_000;
/** More than a group of Parquet has. */
const READINGS = 21_000;
const LAST = READINGS - 1;
const FIRST = 1_750_000_000_000;
const root = temporaryFolder();
const dataDir = join(root, 'data');
let node: RunningNode;
let id: string;

interface Answer {
  readonly files: readonly { readonly name: string; readonly readings: number | null }[];
}
const to = (name: string) => join(root, name);
const run = (name: string, ...args: string[]) => answerOf<Answer>(dataDir, ['export', to(name), ...args]);
const lines = (...path: string[]) =>
  readFileSync(join(...path), 'utf8')
    .trimEnd()
    .split(/\r?\n/);

beforeAll(async () => {
  unpackReferenceData(join(root, 'reference'));
  await answerOf(dataDir, ['import', join(root, 'reference')]);
  node = await startNode({ dataDir });
  ({ id } = await registeredDevice(node.url('local'), { name: '=Tank / 1' }));
  await node.stop();
  writeOldReadings(dataDir, id, { count: READINGS, first: FIRST, stepMs: MINUTE });
});
afterAll(async () => {
  await node.dispose();
  removeFolder(root);
});

it('writes a file for each device, the devices and the notes, readable only by its owner', async () => {
  const { files } = await run('csv');
  const tank = `Tank-1-${id.slice(0, 8)}.csv`;
  expect(files.find(({ name }) => name === tank)?.readings).toBe(READINGS);
  expect(readdirSync(to('csv')).sort()).toEqual(files.map(({ name }) => name).sort());
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['devices.ndjson', 'journal.ndjson']));
  if (process.platform !== 'win32') expect(statSync(join(to('csv'), tank)).mode & 0o077).toBe(0);
  const [head, first, ...rest] = lines(to('csv'), tank);
  expect(head).toBe(
    'seq,timestamp_ms,time_utc,received_at_utc,store,key_version,ph,ec,waterLevel,tempWater,tempAmbient,humidity,' +
      'ph_sealed,ec_sealed,waterLevel_sealed,tempWater_sealed,tempAmbient_sealed,humidity_sealed,' +
      'vpd_derived,vpdLeaf_derived,dewPoint_derived',
  );
  expect(first).toBe(
    `0,${FIRST},${new Date(FIRST).toISOString()},${new Date(FIRST).toISOString()},private,0,5,1200,80,20,21,60,,,,,,,0.995,,12.94`,
  );
  expect(rest).toHaveLength(READINGS - 1);
  expect(lines(to('csv'), 'devices.ndjson').map((line) => (JSON.parse(line) as { id: string }).id)).toContain(id);
});

it('writes Parquet in several groups, which another program reads', async () => {
  await run('parquet', '--format', 'parquet', '--device', id, '--device', GREENHOUSE);
  const name = readdirSync(to('parquet')).find((each) => each.startsWith('Tank'))!;
  const file = await asyncBufferFromFile(join(to('parquet'), name));
  const { row_groups: groups, num_rows: rows } = await parquetMetadataAsync(file);
  expect([groups.length, Number(rows)]).toEqual([2, READINGS]);
  const read = await parquetReadObjects({ file });
  expect(read[LAST]).toEqual({
    seq: BigInt(LAST),
    timestamp_ms: BigInt(FIRST + LAST * MINUTE),
    time: new Date(FIRST + LAST * MINUTE),
    received_at: new Date(FIRST + LAST * MINUTE),
    store: 'private',
    key_version: 0n,
    ...{ ph: 5 + (LAST % 13) / 10, ec: 1200, waterLevel: 80, tempWater: 20, tempAmbient: 21, humidity: 60 },
    ...{ ph_sealed: null, ec_sealed: null, waterLevel_sealed: null, tempWater_sealed: null },
    ...{ tempAmbient_sealed: null, humidity_sealed: null },
    ...{ vpd_derived: 0.995, vpdLeaf_derived: null, dewPoint_derived: 12.94 },
  });
  const greenhouse = readdirSync(to('parquet')).find((each) => each.startsWith('Greenhouse'))!;
  const sealed = await parquetReadObjects({ file: await asyncBufferFromFile(join(to('parquet'), greenhouse)) });
  expect(sealed).toHaveLength(300);
  expect(sealed.every(({ ph, ph_sealed: text }) => ph == null && /^[0-9a-f]{64}$/.test(text as string))).toBe(true);
});

it('writes NDJSON of a span, and CSV with decimal commas', async () => {
  const [since, until] = [new Date(FIRST + 10 * MINUTE), new Date(FIRST + 19 * MINUTE)];
  const span = ['--since', since.toISOString(), '--until', until.toISOString(), '--device', id];
  await run('ndjson', '--format', 'ndjson', ...span);
  const name = `Tank-1-${id.slice(0, 8)}`;
  const read = lines(to('ndjson'), `${name}.ndjson`).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => String(10 + index)));
  expect(read[0]).toMatchObject({ ph: 6, time: since.toISOString(), store: 'private' });
  await run('semicolon', '--csv', 'semicolon', ...span);
  expect(lines(to('semicolon'), `${name}.csv`)[2]).toMatch(/^11;\d+;[^;]+;[^;]+;private;0;6,1;1200;/);
});

it('copies both stores of a running node', async () => {
  node = await startNode({ dataDir });
  await run('sqlite', '--format', 'sqlite');
  const db = new Database(join(to('sqlite'), 'private.db'), { readonly: true });
  expect(db.prepare('SELECT count(*) FROM reading_forms').pluck().get()).toBe(READINGS + 600);
  db.close();
  await node.stop();
});

it('refuses a folder with contents, and unknown options', async () => {
  mkdirSync(to('taken'));
  writeFileSync(join(to('taken'), 'mine.txt'), 'mine');
  const taken = await wellhouse(dataDir, ['export', to('taken')]);
  expect([taken.code, taken.stderr]).toEqual([6, expect.stringContaining('is not empty')]);
  expect(readdirSync(to('taken'))).toEqual(['mine.txt']);
  for (const args of [
    ['--format', 'xlsx'],
    ['--device', 'ab'.repeat(32)],
    ['--format', 'sqlite', '--since', '2d'],
  ]) {
    expect((await wellhouse(dataDir, ['export', to('none'), ...args])).code).toBe(2);
  }
});

it('leaves no incomplete file when it is stopped', async () => {
  const { child, ended } = startCommand(dataDir, ['export', to('stopped'), '--format', 'parquet']);
  const started = () => {
    try {
      return readdirSync(to('stopped')).some((name) => name.endsWith('.part'));
    } catch {
      return false;
    }
  };
  await expect.poll(started, { timeout: 60_000, interval: 2 }).toBe(true);
  child.kill('SIGTERM');
  const { code } = await ended;
  expect([0, 1]).toContain(code);
  expect(readdirSync(to('stopped')).filter((name) => name.endsWith('.part'))).toEqual([]);
});
