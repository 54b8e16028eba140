import type { Manifest } from '../care/archive/manifest.ts';
import { sameNodeElsewhere } from '../care/restore/restore.ts';
import { pairs, when } from './output.ts';

/** What a backup holds, for people. */
export function contentLines({ madeAt, program, reason, node, stores, members }: Manifest): string[] {
  const store = ({ devices, readings, lastReceivedAt }: Manifest['stores']['private']) =>
    `${devices} devices, ${readings} readings${lastReceivedAt === null ? '' : `, the latest of ${when(lastReceivedAt)}`}`;
  return pairs([
    ['made', `${when(madeAt)} (${reason}) by Wellhouse ${program}`],
    ['node', node.publicKey],
    ['on', `${node.host}, ${node.dataDir}`],
    ['private store', store(stores.private)],
    ['public store', stores.public === null ? 'none' : store(stores.public)],
    ['files', members.map(({ name }) => name).join(', ')],
  ]);
}

/** What there is to say of two nodes with one identity. */
export function twinWarning(manifest: Manifest, dataDir: string): string {
  const twin = sameNodeElsewhere(manifest, dataDir);
  if (twin !== null) {
    return `The node that this backup was made of is in ${twin.dataDir}${twin.isRunning ? ', AND IT RUNS' : ''}: two nodes with one identity must not run. Stop that one for good.`;
  }
  return `If the node that this backup was made of (${manifest.node.host}, ${manifest.node.dataDir}) still runs anywhere, stop it for good: two nodes with one identity must not run.`;
}
