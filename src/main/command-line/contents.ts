import type { HeldBack } from '../../shared/owner-api/backups.ts';
import type { Manifest } from '../care/archive/manifest.ts';
import { sameNodeElsewhere } from '../care/restore/restore.ts';
import { pairs, when } from './output.ts';

/** Describes the contents of a backup for people. */
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

const KINDS: Readonly<Record<HeldBack['kind'], string>> = {
  public: 'public endpoint',
  gate: 'gate',
  door: 'door',
  hosts: 'allowed hosts',
  mqtt: 'MQTT broker',
  metrics: 'metrics for Prometheus',
  backups: 'backup folder and recipient',
  channel: 'alert channel',
  node: 'other node',
};

/** Describes for people which items listen, send or let others in. */
export function activeLines(active: readonly HeldBack[]): string[] {
  return active.length === 0 ? [] : pairs(active.map(({ kind, detail }) => [KINDS[kind], detail]));
}

/** Describes for people which items are off after a restore. */
export function heldBackLines(heldBack: readonly HeldBack[]): string[] {
  if (heldBack.length === 0) return [];
  const lines = activeLines(heldBack);
  return [
    'These are off until you confirm them, on the page of the backups or with "wellhouse confirm":',
    '',
    ...lines,
    '',
  ];
}

/** Returns the warning about two nodes with one identity. */
export function twinWarning(manifest: Manifest, dataDir: string): string {
  const twin = sameNodeElsewhere(manifest, dataDir);
  if (twin !== null) {
    return `The node that this backup was made of is in ${twin.dataDir}${twin.isRunning ? ', AND IT RUNS' : ''}: two nodes with one identity must not run. Stop that one for good.`;
  }
  return `If the node that this backup was made of (${manifest.node.host}, ${manifest.node.dataDir}) still runs anywhere, stop it for good: two nodes with one identity must not run.`;
}
