import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchNode, entryOf } from './bench-node.ts';
import { median } from './latencies.ts';
import { LoadGenerator } from './load-generator.ts';

// Compares built states of Wellhouse. The speed of a machine changes within seconds, so the nodes take turns with
// bursts of load of less than a second, and each burst is compared with that of the first state in the same turn.

const HELP = `Usage: npm run bench:pairs -- [OPTION…] FOLDER FOLDER…

Compares built copies of Wellhouse: a node of each takes short bursts of load in turn. Prints how many requests each
answers in a second and its processor time, as ratios to the first copy: medians of all turns.

  --loads NAMES   some of batches,single,repeated,read,write-read (all)
  --turns N       turns of each start (16)
  --starts N      starts of each node: figures differ between processes too (3)
  --help          show this and exit
`;

/** Turns before the measurement, in which the compiler runs. */
const WARM_UP_TURNS = 4;
const DEVICES = 20;

interface Burst {
  readonly requests: number;
  readonly seconds: number;
}

type Load = (load: LoadGenerator, port: number) => Promise<Burst>;

const LOADS: Readonly<Record<string, Load>> = {
  batches: (load, port) => load.run('post', { port, connections: 4, requests: 60, blocksPerRequest: 100 }),
  single: (load, port) => load.run('post', { port, connections: 16, requests: 1500, blocksPerRequest: 1 }),
  repeated: (load, port) => load.run('postAgain', { port, connections: 4, seconds: 0.5 }),
  read: (load, port) => load.run('read', { port, connections: 4, seconds: 0.5 }),
  'write-read': async (load, port) => {
    const cycles = 200;
    return { requests: cycles, seconds: (await load.run('writeAndRead', { port, cycles })).seconds };
  },
};

/** The figures of one state under one load: one entry per turn. */
interface Figures {
  readonly rate: number[];
  readonly cpuMs: number[];
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    loads: { type: 'string', default: Object.keys(LOADS).join(',') },
    turns: { type: 'string', default: '16' },
    starts: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
process.exitCode = values.help
  ? help()
  : await compare(values.loads.split(','), Number(values.turns), Number(values.starts));

function help(): number {
  process.stdout.write(HELP);
  return 0;
}

async function compare(loads: readonly string[], turns: number, starts: number): Promise<number> {
  const unknown = loads.find((name) => LOADS[name] === undefined);
  const unbuilt = folders.find((folder) => !existsSync(entryOf(folder)));
  if (folders.length < 2 || unknown !== undefined || unbuilt !== undefined || !(turns > 0) || !(starts > 0)) {
    const why = unknown === undefined ? unbuilt && `${unbuilt} is not built` : `there is no load '${unknown}'`;
    process.stderr.write(`bench:pairs: ${why ?? 'at least two folders are needed'}; see --help\n`);
    return 2;
  }
  const figures = loads.map(() => folders.map((): Figures => ({ rate: [], cpuMs: [] })));
  const scratch = mkdtempSync(join(tmpdir(), 'wellhouse-pairs-'));
  const generator = new LoadGenerator();
  try {
    for (let start = 0; start < starts; start += 1) {
      await measure(generator, join(scratch, String(start)), { loads, turns, figures });
    }
  } finally {
    generator.close();
    rmSync(scratch, { recursive: true });
  }
  for (const [at, name] of loads.entries()) say(name, figures[at]!);
  return 0;
}

interface Order {
  readonly loads: readonly string[];
  readonly turns: number;
  /** By load and folder. */
  readonly figures: readonly (readonly Figures[])[];
}

/** Starts a node of each state, and adds its figures. */
async function measure(generator: LoadGenerator, scratch: string, { loads, turns, figures }: Order): Promise<void> {
  const nodes: BenchNode[] = [];
  for (const [at, folder] of folders.entries()) {
    nodes.push(await BenchNode.start({ built: folder, dataDir: join(scratch, String(at)), profileDir: null }));
  }
  await generator.run('register', { ports: nodes.map((node) => node.publicPort), devices: DEVICES, firstSeq: 1 });
  for (const node of nodes) await generator.run('fill', { port: node.publicPort });
  for (const [at, name] of loads.entries()) {
    for (let turn = -WARM_UP_TURNS; turn < turns; turn += 1) {
      const order = [...nodes.keys()];
      // Each state comes first as often as last.
      for (const index of turn % 2 === 0 ? order : order.reverse()) {
        const node = nodes[index]!;
        const before = node.cpuSeconds() ?? Number.NaN;
        const { requests, seconds } = await LOADS[name]!(generator, node.publicPort);
        if (turn < 0) continue;
        figures[at]![index]!.rate.push(requests / seconds);
        figures[at]![index]!.cpuMs.push((((node.cpuSeconds() ?? Number.NaN) - before) / requests) * 1000);
      }
    }
  }
  for (const node of nodes) await node.stop();
}

function say(name: string, [first, ...others]: readonly Figures[]): void {
  process.stdout.write(`${name.padEnd(11)} ${median(first!.rate).toFixed(0).padStart(6)} requests/s ${folders[0]}\n`);
  for (const [index, { rate, cpuMs }] of others.entries()) {
    const ratio = (one: readonly number[], base: readonly number[]) =>
      median(one.map((value, turn) => value / base[turn]!)).toFixed(2);
    process.stdout.write(
      `${' '.repeat(11)} requests/s × ${ratio(rate, first!.rate)}, processor time × ${ratio(cpuMs, first!.cpuMs)} ` +
        `${resolve(folders[index + 1]!)}\n`,
    );
  }
}
