import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The rows by number, with their texts for the help and the table. */
export const ROWS: Readonly<Record<number, string>> = {
  1: 'batches of 100 fresh blocks, 4 connections',
  2: 'one block per request, 16 connections',
  3: 'the same 100 blocks again and again, 4 connections',
  4: 'GET the latest 500, 4 connections, nothing arriving',
  5: 'GET the latest 500, each after a write, 1 connection',
  6: 'GET the latest 500, 1 connection, while 4 write batches',
  7: 'event loop under the load of row 1',
  8: 'resident memory: idle, and at its highest in rows 1 to 6',
  9: 'start with an existing store to the first answer',
  10: 'single blocks on the local port during a public flood',
  11: 'growth: a large store against an empty one',
  12: 'batches with a hundred alert rules against none',
  13: 'single blocks on the local port beside 2,000 idle connections to the gate, and a flood there',
  14: 'single blocks on the local port while a backup of a large store is made',
  15: 'single blocks on the local port beside 10,000 requests of a stranger at the door',
  16: 'opening a page of sealed readings',
  17: 'single blocks at the gate while others use up budgets: rate, connections, registrations, the door',
  18: 'single blocks on the local port beside an MQTT broker that reads, and one that stopped reading',
  19: 'time that budgets take of a lone block at the local port',
  20: 'batches of 100 fresh blocks, 16 connections: public store in PostgreSQL against SQLite, and memory of the node',
  21: 'GET the latest 500 from a large store in PostgreSQL',
  22: '10,000 devices that post a block a minute each to a store in PostgreSQL',
};

/** Groups of rows by name. */
const NAMED: Readonly<Record<string, readonly number[]>> = { 'many-homes': [20, 21, 22] };

export const HELP = `Usage: npm run bench [-- OPTION…] [many-homes]

Starts the built node on a temporary folder and measures it from a process of its own.
V is what one core verifies per second with node:crypto. Exits with 1 when a target is missed by more than a fifth.
many-homes stands for rows 20 to 22, which need Debian's postgresql.

  --only ROWS      these rows, separated by commas: 1,2 or row1,row2
  --quick          a fifth of the load and a store of 200,000 readings: for a first look
  --big            rows 11, 14 and 21 with 10,000,000 readings in place of 1,000,000 (takes some minutes and 5 GB)
  --json FILE      also writes the figures to a file
  --dir FOLDER     where the temporary folder is made (${tmpdir()}); a disk, or commits cost nothing
  --profile DIR    writes the CPU profiles of the node's threads there (it slows the node)
  --help           show this and exit

Rows:
${Object.entries(ROWS)
  .map(([row, name]) => `  ${row.padStart(2)}  ${name}`)
  .join('\n')}
`;

/** The options of the benchmark. */
export interface BenchOptions {
  readonly help: boolean;
  readonly rows: ReadonlySet<number>;
  /** The factor for amounts of load. */
  readonly scale: number;
  /** Readings in the store of rows 11, 14 and 21. */
  readonly grownReadings: number;
  readonly jsonFile: string | null;
  readonly dir: string;
  readonly profileDir: string | null;
}

/** Reads the command line. Throws an Error with a message for the user. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      big: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
      profile: { type: 'string' },
    },
  });
  return {
    help: values.help,
    rows: readRows([...(values.only?.split(',') ?? []), ...positionals]),
    scale: values.quick ? 0.2 : 1,
    grownReadings: values.big ? 10_000_000 : values.quick ? 200_000 : 1_000_000,
    jsonFile: values.json === undefined ? null : resolve(values.json),
    dir: resolve(values.dir),
    profileDir: values.profile === undefined ? null : resolve(values.profile),
  };
}

function readRows(names: readonly string[]): ReadonlySet<number> {
  if (names.length === 0) return new Set(Object.keys(ROWS).map(Number));
  return new Set(
    names.flatMap((name) => {
      const row = Number(name.trim().replace(/^row/i, ''));
      const rows = NAMED[name] ?? (ROWS[row] === undefined ? null : [row]);
      if (rows === null) throw new Error(`there is no row '${name.trim()}'; --help lists them`);
      return rows;
    }),
  );
}
