import { pino } from 'pino';
import { readBackupState } from '../../care/backup/backup-state.ts';
import { lookAtPlanned } from '../../care/backup/backups-view.ts';
import { heldBackIn } from '../../care/restore/held-back.ts';
import { restoreNote } from '../../care/restore/restore.ts';
import { roomAt } from '../../common/room.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import { DamagedFiles, damageInWords } from '../../state-files/damaged-files.ts';
import type { AddCommand } from '../command.ts';
import { pairs, size, when } from '../output.ts';
import { linkToNode } from '../own-node.ts';
import { answerSharedStatus } from '../shared-status.ts';
import { SAME_DISK } from './backup.ts';

const HOW = {
  api: 'runs',
  beside: "runs, without an owner's view in the browser",
  folder: 'does not run',
} as const;

/** `status`: shows the state of the node and its data. */
export const addStatus: AddCommand = (program, act) => {
  program
    .command('status')
    .description('show whether the node runs, what its stores contain, and when its last backup was made')
    .action(
      act<[object]>(async (context) => {
        const { dataDir, settings, output } = context;
        if (!settings.localEnabled) {
          await answerSharedStatus(context);
          return undefined;
        }
        const link = await linkToNode(dataDir);
        try {
          const now = Date.now();
          const { devices, totals } = await link.call('overview', { dayStart: new Date(now).setHours(0, 0, 0, 0) });
          const room = await roomAt(dataDir);
          const { failure } = readBackupState(dataDir);
          const planned = await lookAtPlanned(settings.backupFolder, dataDir);
          const { last } = planned;
          const heard = Math.max(0, ...devices.map(({ lastReceivedAt }) => lastReceivedAt ?? 0)) || null;
          const log = pino({ level: 'silent' });
          const damagedFiles = new DamagedFiles({ path: dataDir, log, now: () => now }).list();
          const edited = link.how === 'api' ? (await link.order('getSettings', {})).file.edited : [];
          const answer = {
            running: link.how !== 'folder',
            dataDir,
            publicKey: readPublicKey(dataDir),
            devices: devices.length,
            lastReceivedAt: heard,
            readingsToday: totals.readingsToday,
            stores: totals.stores,
            room,
            backup: {
              folder: settings.backupFolder,
              time: settings.backupTime,
              last,
              failure,
              ...{ problem: planned.folderProblem, onDataDisk: planned.isOnDataDisk, elsewhere: planned.elsewhere },
            },
            restored: restoreNote(dataDir),
            heldBack: heldBackIn(dataDir),
            damagedFiles,
            editedSettings: edited,
          };
          output.answer(answer, () =>
            pairs([
              ['node', HOW[link.how]],
              ['data folder', dataDir],
              ['public key', answer.publicKey],
              ['devices', `${devices.length}, last heard ${when(heard)}`],
              ['readings today', totals.readingsToday],
              ...totals.stores.map(({ store, bytes }) => [`${store} store`, size(bytes)] as const),
              ['free on the disk', room === null ? null : `${size(room.freeBytes)}${room.isLow ? ' (LOW)' : ''}`],
              [
                'backups',
                settings.backupFolder === null
                  ? 'no folder is chosen'
                  : `${settings.backupFolder}, daily at ${settings.backupTime}`,
              ],
              [
                'last backup',
                last === null
                  ? 'none'
                  : `${when(last.at)}, ${size(last.bytes)}, in ${(last.durationMs / 1000).toFixed(1)} s`,
              ],
              ...planned.elsewhere.map(({ at, path }) => ['another backup', `${when(at)}, ${path}`] as const),
              ...(planned.isOnDataDisk
                ? [['WARNING', `the backup folder is on the data's own disk: ${SAME_DISK}`] as const]
                : []),
              ...(planned.folderProblem === null ? [] : [['backup folder', planned.folderProblem.message] as const]),
              ...(failure === null ? [] : [['failed since', `${when(failure.at)}: ${failure.message}`] as const]),
              ...damagedFiles.map(
                (each) =>
                  [
                    each.whole === 'missing' ? 'MISSING' : 'damaged file',
                    `${when(each.at)}: ${damageInWords(each)}`,
                  ] as const,
              ),
              ...(edited.length === 0
                ? []
                : [['settings', `edited in the file: restart the node to apply ${edited.join(', ')}`] as const]),
              ...(answer.heldBack.length === 0
                ? []
                : [
                    [
                      'OFF',
                      `${answer.heldBack.length} restored settings wait: "wellhouse confirm" lists them`,
                    ] as const,
                  ]),
              ...(answer.restored === null
                ? []
                : [
                    [
                      'restored',
                      `${when(answer.restored.restoredAt)} from a backup of ${when(answer.restored.madeAt)}`,
                    ] as const,
                  ]),
            ]),
          );
        } finally {
          await link.close();
        }
        return undefined;
      }),
    );
};
