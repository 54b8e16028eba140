import { existsSync } from 'node:fs';
import { hasIdentity, readPublicKey } from '../data-folder/identity.ts';
import { isNodeRunning } from '../data-folder/node-lock.ts';
import type { Context } from './context.ts';
import { pairs, size, table, when } from './output.ts';
import { withOperator } from './with-operator.ts';

const HOUR_MS = 3_600_000;

/** Answers `status` for a node that serves only the public endpoint: the shared store and its nodes. */
export async function answerSharedStatus(context: Context): Promise<void> {
  const { dataDir, output } = context;
  const sinceHour = Math.floor(Date.now() / HOUR_MS) - 23;
  const told = await withOperator(context, async (operator) => ({
    database: await operator.database(),
    nodes: await operator.nodes(),
    blocks: Object.fromEntries((await operator.outcomes(sinceHour)).map(({ outcome, count }) => [outcome, count])),
    blockedKeys: (await operator.blocked()).length,
  }));
  const running = existsSync(dataDir) && isNodeRunning(dataDir);
  const publicKey = existsSync(dataDir) && hasIdentity(dataDir) ? readPublicKey(dataDir) : null;
  const { database, nodes, blocks } = told;
  const lag = database.standbyLagSeconds;
  output.answer({ running, dataDir, publicKey, ...told }, () => [
    ...pairs([
      ['node', running ? 'runs, serving the public endpoint alone' : 'does not run in this data folder'],
      ['data folder', dataDir],
      ['public key', publicKey],
      ['database', `PostgreSQL ${database.serverVersion}, up since ${when(database.startedAt)}`],
      ['public store', size(database.bytes)],
      ['devices', database.devices],
      ['readings', `about ${Math.round(database.readings)}`],
      ['connections', `${database.connections} of ${database.maxConnections}`],
      ['waiting for the log', database.waitingEntries],
      ['standbys', lag === null ? database.standbys : `${database.standbys}, at most ${lag.toFixed(1)} s behind`],
      ['oldest transaction', `${database.oldestTransactionSeconds.toFixed(1)} s`],
      ...Object.entries(blocks).map(([outcome, count]) => [`blocks ${outcome}, 24 h`, count] as const),
      ['blocked keys', told.blockedKeys],
    ]),
    '',
    ...(nodes.length === 0
      ? ['No node has said within a minute that it runs.']
      : table(
          ['node', 'address', 'version', 'since', 'memory', 'waiting', 'connections'],
          nodes.map((node) => [
            ...[node.host, node.url, node.version, when(node.startedAt), size(node.rssBytes), node.waitingBlocks],
            `${node.connections.open - node.connections.idle} in use, ${node.connections.waiting} wait`,
          ]),
        )),
  ]);
}
