import type { AliveNode, DatabaseFacts, NewDevice, StoreOperator } from '../store/operator.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';

const ROWS = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const POSTING_DAYS = 7;
const MIB = 1024 ** 2;

/** The requested part of the page. */
export interface PageQuery {
  /** The page in the list of devices with the most readings, from 0. */
  readonly posting: number;
  /** Lists the newest devices that were registered before this one; null for the newest of all. */
  readonly before: string | null;
}

type Cell = string | number;

/** Returns the page for the operator of a shared store: plain HTML without scripts, which changes nothing. */
export async function operatorPage(operator: StoreOperator, now: number, query: PageQuery): Promise<string> {
  try {
    return await pageOf(operator, now, query);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    return document(
      `<p class="bad">The database does not answer (${escaped(error.code)}): ${escaped(error.message)}</p>`,
    );
  }
}

async function pageOf(operator: StoreOperator, now: number, { posting: page, before }: PageQuery): Promise<string> {
  const [database, nodes, outcomes, posting, newest, blocked, slow] = await Promise.all([
    operator.database(),
    operator.nodes(),
    operator.outcomes(Math.floor((now - DAY_MS) / HOUR_MS)),
    operator.posting(Math.floor(now / DAY_MS) - POSTING_DAYS + 1, page * ROWS, ROWS),
    operator.newest(before, ROWS),
    operator.blocked(),
    operator.slow(),
  ]);
  return document(
    section('Database', facts(databaseRows(database, now))),
    section(
      `Nodes (${nodes.length})`,
      table(
        NODE_HEADS,
        nodes.map((node) => nodeRow(node, now)),
      ),
    ),
    section(
      'Blocks of the last 24 hours',
      table(
        ['outcome', 'blocks'],
        outcomes.map(({ outcome, count }) => [outcome, number(count)]),
      ),
    ),
    section(
      `Devices with the most readings in ${POSTING_DAYS} days`,
      table(
        ['device', 'name', 'owner', 'readings', 'last'],
        posting.map(({ id, name, owner, ownerName, readings, lastAt }) => [
          ...[id, name, `${ownerName} (${owner.slice(0, 8)}…)`, number(readings), when(lastAt)],
        ]),
      ) +
        links([
          page > 0 ? [`?posting=${page - 1}`, 'more readings'] : null,
          posting.length === ROWS ? [`?posting=${page + 1}`, 'fewer readings'] : null,
        ]),
    ),
    section(
      'Newest devices',
      table(
        ['device', 'name', 'owner', 'registered'],
        newest.map((device) => deviceRow(device)),
      ) +
        links([
          before === null ? null : ['?', 'newest'],
          newest.length === ROWS ? [`?before=${newest.at(-1)!.id}`, 'older'] : null,
        ]),
    ),
    section(
      'Blocked keys',
      table(
        ['key', 'since', 'reason'],
        blocked.map(({ key, at, reason }) => [key, when(at), reason]),
      ),
    ),
    section(
      'Slow statements',
      table(
        ['seconds', 'times', 'statement'],
        slow.map(({ text, seconds, calls }) => [seconds.toFixed(3), calls === null ? 'runs now' : number(calls), text]),
      ),
    ),
  );
}

function databaseRows(facts: DatabaseFacts, now: number): [string, Cell][] {
  const { standbys, standbyLagSeconds: lag } = facts;
  return [
    ['server', `PostgreSQL ${facts.serverVersion}, up since ${when(facts.startedAt)} (${ago(facts.startedAt, now)})`],
    ['size of the store', `${number(facts.bytes / MIB)} MiB`],
    ['devices', number(facts.devices)],
    ['readings, estimated', number(facts.readings)],
    ['connections', `${facts.connections} of ${facts.maxConnections}`],
    ['entries that wait for the log', number(facts.waitingEntries)],
    ['synchronous_commit', facts.synchronousCommit],
    ['standbys', lag === null ? standbys : `${standbys}, at most ${lag.toFixed(1)} s behind`],
    ['oldest transaction', `${facts.oldestTransactionSeconds.toFixed(1)} s`],
  ];
}

const NODE_HEADS = ['host', 'address', 'version', 'runs for', 'memory', 'blocks waiting', 'connections', 'heard'];

function nodeRow(node: AliveNode, now: number): Cell[] {
  const { open, idle, waiting } = node.connections;
  return [
    ...[node.host, node.url ?? '', node.version, ago(node.startedAt, now), `${number(node.rssBytes / MIB)} MiB`],
    ...[
      number(node.waitingBlocks),
      `${open - idle} of ${open} in use, ${waiting} wait`,
      `${ago(node.seenAt, now)} ago`,
    ],
  ];
}

function deviceRow({ id, name, ownerName, ownerPubkey, createdAt }: NewDevice): Cell[] {
  return [id, name, `${ownerName} (${ownerPubkey.slice(0, 8)}…)`, when(createdAt)];
}

function section(title: string, body: string): string {
  return `<section><h2>${escaped(title)}</h2>${body}</section>`;
}

function facts(rows: readonly [string, Cell][]): string {
  return `<dl>${rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`;
}

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '<p>none</p>';
  const line = (tag: string, cells: readonly Cell[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<div><table>${line('th', heads)}${rows.map((row) => line('td', row)).join('')}</table></div>`;
}

function links(all: readonly (readonly [href: string, text: string] | null)[]): string {
  const shown = all.filter((each) => each !== null);
  return `<p>${shown.map(([href, text]) => `<a href="${escaped(href)}">${escaped(text)}</a>`).join(' · ')}</p>`;
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function when(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function ago(ms: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - ms) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** Escapes a text for HTML: strangers choose the names. */
function escaped(value: Cell): string {
  return String(value).replace(/[&<>"'\p{Cc}\p{Cf}]/gu, (character) => `&#${character.codePointAt(0)};`);
}

const STYLE = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:76rem;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
div{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #8884;padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600;white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0}dt{opacity:.7}dd{margin:0}
.bad{color:#c0392b;font-weight:600}`;

function document(...sections: string[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Wellhouse public store</title><style>${STYLE}</style></head><body><h1>Public store</h1>${sections.join('\n')}</body></html>`;
}
