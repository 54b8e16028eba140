import type { StoreLocation } from '../src/main/store/engine.ts';
import { PostgresServer, postgresPrograms } from '../test/support/postgres-server.ts';
import { type Bench, latencyText } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import { median } from './latencies.ts';
import { number } from './report.ts';

/** The schema of the store that the rows share. */
const SCHEMA = 'bench';
const SHARED_BUFFERS = '256MB';
/** Both stores are measured in turns, so that changes in the machine's load affect both. */
const TURNS = 5;
const LEAST_BLOCKS_A_SECOND = 6000;
const MOST_LOADED_MB = 150;
const LONGEST_READ_MS = 10;
const DEVICES = 10_000;
const MOST_CORES = 0.1;
const READINGS_AT_ONCE = 250_000;

/** Rows 20 to 22: a node that serves only the public endpoint, from a PostgreSQL server on this machine. */
export async function manyHomesRows(bench: Bench): Promise<void> {
  const programs = postgresPrograms();
  if (programs === null) {
    for (const row of [20, 21, 22]) if (bench.wants(row)) bench.skip(row, 'there is no server in /usr/lib/postgresql');
    return;
  }
  const server = await PostgresServer.start(programs, SHARED_BUFFERS);
  try {
    if (bench.wants(20)) await ingestRow(bench, server);
    if (bench.wants(21)) await readRow(bench, server);
    if (bench.wants(22)) await devicesRow(bench, server);
  } finally {
    await server.stop();
  }
}

async function ingestRow(bench: Bench, server: PostgresServer): Promise<void> {
  const nodes = [
    await bench.startFreshNode('many-homes-file'),
    await bench.startFreshNode('many-homes', { publicStoreUrl: server.location(`${SCHEMA}_ingest`) }),
  ] as const;
  const rates: { readonly file: Turn; readonly postgres: Turn }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const file = await turnOf(bench, nodes[0]);
    rates.push({ file, postgres: await turnOf(bench, nodes[1]) });
  }
  const middle = (of: (turn: (typeof rates)[number]) => number) => median(rates.map(of));
  const postgres = middle((turn) => turn.postgres.rate);
  bench.add({
    ...{ row: 20, what: 'PostgreSQL', value: postgres, unit: 'blocks/s' },
    target: { atLeast: LEAST_BLOCKS_A_SECOND },
    detail: `median of ${TURNS}; ${rates.at(-1)!.postgres.text}`,
  });
  bench.add({
    ...{ row: 20, what: 'PostgreSQL in times of SQLite', unit: 'times' },
    value: middle((turn) => turn.postgres.rate / turn.file.rate),
    detail: `SQLite ${number(middle((turn) => turn.file.rate))} blocks/s; ${rates.at(-1)!.file.text}`,
  });
  const memory = nodes[1].memory();
  if (memory !== null) {
    bench.add({
      ...{ row: 20, what: 'memory of the node, highest', value: memory.peak, unit: 'MB' },
      target: { atMost: MOST_LOADED_MB },
      detail: `${number(memory.now)} MB after it; with SQLite ${number(nodes[0].memory()!.peak)} MB`,
    });
  }
  for (const node of nodes) await node.stop();
}

interface Turn {
  readonly rate: number;
  readonly text: string;
}

async function turnOf(bench: Bench, { publicPort: port }: BenchNode): Promise<Turn> {
  const order = { port, connections: 16, requests: bench.amount(400), blocksPerRequest: 100 };
  const result = await bench.load.run('post', order);
  return { rate: (result.requests * order.blocksPerRequest) / result.seconds, text: latencyText(result) };
}

async function readRow(bench: Bench, server: PostgresServer): Promise<void> {
  const location = server.location(`${SCHEMA}_read`);
  const node = await bench.startFreshNode('many-homes-read', { publicStoreUrl: location });
  const count = bench.options.grownReadings;
  process.stderr.write(`making a store of ${number(count)} readings in PostgreSQL\n`);
  await grow(server, `${SCHEMA}_read`, count);
  const first = await bench.load.run('readEachOnce', { port: node.publicPort });
  const reads = await bench.load.run('read', { port: node.publicPort, connections: 1, seconds: bench.amount(3) });
  await node.stop();
  const target = { atMost: LONGEST_READ_MS };
  bench.add({
    ...{ row: 21, what: 'latest 500, p50 of first reads', value: first.latencies.p50, unit: 'ms', target },
    detail: `${number(count)} readings; ${latencyText(first)}`,
  });
  bench.add({
    ...{ row: 21, what: 'latest 500, p50', value: reads.latencies.p50, unit: 'ms', target },
    detail: latencyText(reads),
  });
}

/** Puts readings into a store, evenly over its devices and in the order of arrival. */
export async function grow(server: PostgresServer, schema: string, count: number): Promise<void> {
  const [row] = await server.rows<{ devices: string }>(`SELECT count(*) AS devices FROM ${schema}.device`);
  const devices = Number(row!.devices);
  const atOnce = Math.ceil(READINGS_AT_ONCE / devices);
  const seqs = Math.ceil(count / devices);
  for (let from = 1; from <= seqs; from += atOnce) {
    // Unsigned numbers are stored minus 2^63.
    await server.query(
      `INSERT INTO ${schema}.reading (device, seq, timestamp, received_at, key_version, signature, composition, ph, ec, "waterLevel", "tempAmbient", humidity)
       SELECT device, -9223372036854775808 + seq, -9223372036854775808 + 1750000000000 + seq * 60000,
         1750000000000 + seq * 60000, 0, sha512(convert_to(device || ' ' || seq, 'UTF8')), 1, 6.1, 1200, 300, 21.5, 55.5
       FROM generate_series(${from}::bigint, ${Math.min(seqs, from + atOnce - 1)}) AS seq, ${schema}.device
       ORDER BY seq, device`,
    );
  }
  await server.query(`VACUUM ANALYZE ${schema}.reading`);
}

async function devicesRow(bench: Bench, server: PostgresServer): Promise<void> {
  const publicStoreUrl: StoreLocation = server.location(`${SCHEMA}_devices`);
  const node = await bench.startNode(bench.dataDir('many-homes-devices'), { publicStoreUrl });
  const { publicPort: port } = node;
  process.stderr.write(`registering ${number(DEVICES)} devices\n`);
  await bench.load.run('register', { ports: [port], devices: DEVICES, firstSeq: 1, forwarded: true });
  const perSecond = Math.round(DEVICES / 60);
  // Each device posts once: it is not new to the node afterwards.
  await bench.load.run('paced', { port, perSecond, seconds: bench.amount(60) });
  const before = node.cpuSeconds();
  const result = await bench.load.run('paced', { port, perSecond, seconds: bench.amount(60) });
  const after = node.cpuSeconds();
  const memory = node.memory();
  await node.stop();
  if (before === null || after === null) {
    bench.skip(22, 'there is no /proc on this system');
    return;
  }
  bench.add({
    ...{ row: 22, what: 'cores that the node uses', value: (after - before) / result.seconds, unit: 'cores' },
    target: { atMost: MOST_CORES },
    detail: `${number(result.requests / result.seconds)} posts a second; ${latencyText(result)}; ${number(memory!.now)} MB`,
  });
}
