import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { PostgresServer, postgresPrograms } from '../test/support/postgres-server.ts';
import { BenchNode } from './bench-node.ts';
import { median } from './latencies.ts';
import { LoadGenerator } from './load-generator.ts';
import { grow } from './rows-many-homes.ts';

// Fills a public store in a PostgreSQL server of its own with many devices, readings and daily counts, and measures what
// reads them: the figures of docs/many-homes.md.

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '100000' },
    readings: { type: 'string', default: '1000000' },
    /** The days that each device has a count for. */
    days: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(
    'Reads a store in PostgreSQL with many devices. --devices 100000 --readings 1000000 --days 8 (of counts for each device)\n',
  );
  process.exit(0);
}
const [devices, readings, days] = [values.devices, values.readings, values.days].map(Number) as [
  number,
  number,
  number,
];
const SCHEMA = 'many';
const TIMES = 5;
const PAGE = 1000;

const programs = postgresPrograms();
if (programs === null) throw new Error('there is no server in /usr/lib/postgresql');
const folder = mkdtempSync(join(tmpdir(), 'wellhouse-many-'));
const server = await PostgresServer.start(programs, '256MB');
const load = new LoadGenerator();
try {
  await measure();
} finally {
  load.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const options = { dataDir: folder, profileDir: null, publicStoreUrl: server.location(SCHEMA) };
  const first = await BenchNode.start(options);
  await load.run('register', { ports: [first.publicPort], devices: 1, firstSeq: 1 });
  await first.stop();
  await fill();
  const metricsPort = await freePort();
  const node = await BenchNode.start({ ...options, metricsPort });
  const [at, metrics] = [`http://127.0.0.1:${node.publicPort}/v1/devices`, `http://127.0.0.1:${metricsPort}`];
  const ids = await server.rows<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM ${SCHEMA}.device ORDER BY device OFFSET ${devices - PAGE - 1} LIMIT 1`,
  );
  const readingsOf = `${at}/${ids[0]!.id}/telemetry`;
  const lastPosting = Math.ceil(devices / 50) - 1;

  await say('first page of 1,000 devices', () => get(`${at}?limit=${PAGE}`));
  await say('the last page', () => get(`${at}?limit=${PAGE}&after=${ids[0]!.id}`));
  await sayPages(`${at}?limit=${PAGE}`, node);
  const began = performance.now();
  await get(at);
  tell('the whole list, or its first 16 MiB, in one answer', performance.now() - began, memoryText(node));
  await say('the same again', () => get(at));
  await say('the latest readings', () => get(readingsOf));
  await say('older readings', () => get(`${readingsOf}?before=5`));
  await say('operator page', () => get(`${metrics}/operator`));
  await say('operator page, the last of those that sent most', () => get(`${metrics}/operator?posting=${lastPosting}`));
  await say('/metrics', () => get(`${metrics}/metrics`));
  await node.stop();
}

/** Makes the devices like the one that is registered, with owners of three devices each. */
async function fill(): Promise<void> {
  process.stderr.write('filling the store\n');
  const key = (what: string) => `sha256(convert_to('${what} ' || number, 'UTF8'))`;
  await server.query(
    `INSERT INTO ${SCHEMA}.device (id, owner, registered, addresses, created_at)
     SELECT ${key('device')}, sha256(convert_to('owner ' || number / 3, 'UTF8')),
       registered || jsonb_build_object('name', 'Device ' || number, 'mac', lpad(to_hex(number), 12, '0')),
       addresses, created_at + number
     FROM generate_series(2, ${devices}) AS number, (SELECT * FROM ${SCHEMA}.device LIMIT 1) AS first`,
  );
  await server.query(
    `INSERT INTO ${SCHEMA}.owner SELECT DISTINCT owner, left(encode(owner, 'hex'), 8) FROM ${SCHEMA}.device ON CONFLICT DO NOTHING`,
  );
  await grow(server, SCHEMA, readings);
  const today = Math.floor(Date.now() / 86_400_000);
  await server.query(
    `INSERT INTO ${SCHEMA}.posted SELECT device, ${today} - day, 1 + device % 1440, 0
     FROM ${SCHEMA}.device, generate_series(0, ${days - 1}) AS day`,
  );
  await server.query(`VACUUM ANALYZE ${SCHEMA}.device, ${SCHEMA}.owner, ${SCHEMA}.posted`);
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return response;
}

/** Reads all pages one after the other, by the links that name the next. */
async function sayPages(first: string, node: BenchNode): Promise<void> {
  const times: number[] = [];
  for (let url: string | null = first; url !== null; ) {
    const began = performance.now();
    const response: Response = await fetch(url);
    const { devices: page } = (await response.json()) as { devices: { id: string }[] };
    times.push(performance.now() - began);
    url = times.length * PAGE >= devices ? null : `${first}&after=${page.at(-1)!.id}`;
  }
  const all = times.reduce((sum, time) => sum + time, 0);
  const slowest = `${times.length} pages, slowest ${Math.max(...times).toFixed(0)} ms; ${memoryText(node)}`;
  tell('all pages one after the other', all, slowest);
}

async function say(what: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  tell(what, median(times), `median of ${TIMES}`);
}

function tell(what: string, ms: number, detail: string): void {
  process.stdout.write(`${what}: ${ms.toFixed(0)} ms (${detail})\n`);
}

function memoryText(node: BenchNode): string {
  const memory = node.memory();
  return memory === null ? 'memory unknown' : `node ${memory.now.toFixed(0)} MB`;
}
