import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { BALANCER, Cluster, NODE_NAMES, until } from './try-many-homes-cluster.ts';
import { Load } from './try-many-homes-load.ts';

// The steps of scripts/try-many-homes.sh, run in the namespace of the network's switch.

/** More readings than all devices together have pending: after this many, some were sent after a fault. */
const GOES_ON = 500;

const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    faults: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const cluster = new Cluster(values.work!);
const load = new Load(`http://${BALANCER}`);

/** Each function causes a fault. It returns a function that repairs it. */
const FAULTS = {
  'the server of the primary killed': async () => {
    const name = await cluster.leader();
    await cluster.kill(name, 'postgres');
    return { target: name, undo: async () => {} };
  },
  'the machine of the primary killed': async () => {
    const name = await cluster.leader();
    await cluster.kill(name);
    return { target: name, undo: async () => cluster.startDatabase(name) };
  },
  'the link of the primary cut': async () => cut(await cluster.leader()),
  'the machine of the synchronous standby killed': async () => {
    const name = await cluster.syncStandby();
    await cluster.kill(name);
    return { target: name, undo: async () => cluster.startDatabase(name) };
  },
  'a node killed': async () => {
    const name = anyNode();
    await cluster.kill(name);
    return { target: name, undo: async () => cluster.startNode(name) };
  },
  'the link of a node cut': async () => cut(anyNode()),
};
type Fault = keyof typeof FAULTS;

function cut(target: Parameters<Cluster['link']>[0]) {
  cluster.link(target, 'down');
  return { target, undo: async () => cluster.link(target, 'up') };
}

let random = Number(values.seed);
/** Returns the same numbers for the same seed (mulberry32). */
function next(below: number): number {
  random = (random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(random ^ (random >>> 15), random | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

function anyNode() {
  return NODE_NAMES[next(NODE_NAMES.length)]!;
}

/** Returns each kind of fault about equally often, in random order. */
function faults(count: number): Fault[] {
  const kinds = Object.keys(FAULTS) as Fault[];
  const order = Array.from({ length: count }, (_, index) => kinds[index % kinds.length]!);
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = next(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

async function missing(): Promise<{ readonly lost: number; readonly stored: number }> {
  const client = await cluster.connect('wellhouse');
  let lost = 0;
  for (const [id, confirmed] of load.confirmed) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) AS count FROM wellhouse.reading JOIN wellhouse.device USING (device)
       WHERE id = $1 AND seq - (-9223372036854775808)::numeric BETWEEN 1 AND $2`,
      [Buffer.from(id, 'hex'), confirmed],
    );
    lost += confirmed - Number(rows[0]!.count);
  }
  const { rows } = await client.query<{ count: string }>('SELECT count(*) AS count FROM wellhouse.reading');
  await client.end();
  return { lost, stored: Number(rows[0]!.count) };
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const median = (list: readonly number[]) => [...list].sort((one, other) => one - other)[list.length >> 1]!;

console.log(`--seed ${values.seed}`);
const startedAt = performance.now();
await cluster.start();
await load.start();
await until('the first readings', () => (load.total > GOES_ON ? true : null));
const gaps = new Map<Fault, number[]>();
for (const [index, kind] of faults(Number(values.faults)).entries()) {
  load.takeGap();
  const before = load.total;
  const { target, undo } = await FAULTS[kind]();
  const at = load.total;
  await until('devices are confirmed again', () => (load.total > at + GOES_ON ? true : null));
  await undo();
  try {
    await cluster.whole();
    for (const name of NODE_NAMES) await cluster.nodeAnswers(name);
  } catch (error) {
    console.log(
      `not whole again: ${(error as Error).message}; ${(await missing()).lost} readings are lost at ${await cluster.leader()}`,
    );
    process.exit(1);
  }
  const gap = load.takeGap();
  gaps.set(kind, [...(gaps.get(kind) ?? []), gap]);
  console.log(
    `${index + 1}: ${kind} (${target}): nothing confirmed for ${seconds(gap)} s; ${load.total - before} readings meanwhile`,
  );
}
await load.stop();
const { lost, stored } = await missing();
for (const [kind, list] of gaps) {
  console.log(
    `${kind}, ${list.length} times: median ${seconds(median(list))} s, longest ${seconds(Math.max(...list))} s`,
  );
}
const all = [...gaps.values()].flat();
console.log(`all: median ${seconds(median(all))} s, longest ${seconds(Math.max(...all))} s`);
console.log(`the log: ${await cluster.verify()}`);
console.log(
  `${all.length} faults, ${load.total} readings confirmed, ${lost} lost; ${stored} stored, ${load.refused} posts sent again; ` +
    `${Math.round((performance.now() - startedAt) / 1000)} s`,
);
process.exit(lost === 0 ? 0 : 1);
