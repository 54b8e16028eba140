import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupsView } from '../src/shared/owner-api/backups.ts';
import { type Bench, latencyText } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import { growStore } from './grown-store.ts';
import { number } from './report.ts';
import type { StreamResult } from './stream.ts';

const MOST_P99_MS = 50;
/** The recipient of an invented phrase: encrypting a backup costs the same for any phrase. */
const RECIPIENT = 'age14dejs4qje7hefdeylcddcf78jce864n5tzvn0xe07zmq5ctg6ees9r0lcc';
const ROUND = 100;

/** Row 14: single posts while a thread of the node makes a backup of a large store. */
export async function backupRow(bench: Bench): Promise<void> {
  const dataDir = bench.dataDir('backup');
  const backups = bench.dataDir('backups');
  mkdirSync(backups, { recursive: true });
  const first = await bench.startNode(dataDir);
  await bench.registerDevices(first);
  await first.stop();
  const readings = bench.options.grownReadings;
  process.stderr.write(`making a store of ${number(readings)} readings\n`);
  const nextSeq = growStore(join(dataDir, 'private.db'), readings);

  const node = await bench.startNode(dataDir, { args: ['--ui'] });
  const ask = owner(node, dataDir);
  await bench.registerDevices(node, nextSeq);
  const singles = { localPort: node.localPort, singles: ROUND, flood: null };
  const calm = await bench.load.run('flood', { ...singles, singles: 5 * ROUND });
  const plan = { folder: backups, recipient: RECIPIENT, time: '03:30', keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };
  await ask('planBackups', plan);
  const before = node.memory();
  await ask('makeBackup', { passphrase: null });
  const rounds: StreamResult[] = [];
  let view: BackupsView;
  do {
    rounds.push((await bench.load.run('flood', singles)).local);
    view = (await ask('backups', {})) as BackupsView;
  } while (view.work !== null);
  const peak = node.memory();
  await node.stop();
  const { last } = view;
  if (last === null) throw new Error(`no backup was made: ${JSON.stringify(view.failure)}`);
  // The p99 of the median round of a hundred posts; the detail has the number of rounds above the bound and the worst
  // one.
  const p99s = rounds.map(({ latencies }) => latencies.p99).sort((a, b) => a - b);
  const perSecond = number(
    rounds.reduce((sum, { requests }) => sum + requests, 0) / rounds.reduce((sum, { seconds }) => sum + seconds, 0),
  );
  bench.add({
    row: 14,
    what: 'post p99 during a backup',
    value: p99s[p99s.length >> 1]!,
    unit: 'ms',
    target: { atMost: MOST_P99_MS },
    detail: `calm ${latencyText(calm.local)}; ${p99s.filter((p99) => p99 > MOST_P99_MS).length} of ${rounds.length} rounds over it, worst p99 ${number(p99s.at(-1)!)}, ${perSecond} a second`,
  });
  bench.add({
    row: 14,
    what: 'backup',
    value: last.durationMs / 1000,
    unit: 's',
    detail: `${number(readings)} readings, ${number(statSync(join(dataDir, 'private.db')).size / 1e6)} MB to ${number(last.bytes / 1e6)} MB; resident ${number(before?.now ?? 0)} before, at most ${number(peak?.peak ?? 0)} MB`,
  });
}

function owner({ localPort }: BenchNode, dataDir: string) {
  const authorization = `Bearer ${readFileSync(join(dataDir, 'ui-token'), 'utf8').trim()}`;
  return async (method: string, input: object): Promise<unknown> => {
    const reply = await fetch(`http://127.0.0.1:${localPort}/ui/api/${method}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const answer = (await reply.json()) as { ok: boolean; value: unknown };
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    return answer.value;
  };
}
