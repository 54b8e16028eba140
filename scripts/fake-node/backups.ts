import type { BACKUP_METHODS, BackupsView } from '../../src/shared/owner-api/backups.ts';
import type { Answers, OnFakeEvent } from './fake.ts';

const DAY = 86_400_000;

/** Returns invented backups: a folder with a week of them. */
export function backupAnswers(startedAt: number, onEvent: OnFakeEvent): Pick<Answers, keyof typeof BACKUP_METHODS> {
  let plan: BackupsView['plan'] = {
    folder: '/media/usb/wellhouse',
    recipient: 'age14dejs4qje7hefdeylcddcf78jce864n5tzvn0xe07zmq5ctg6ees9r0lcc',
    time: '03:30',
    keepDaily: 7,
    keepWeekly: 4,
    keepMonthly: 12,
  };
  const files: BackupsView['files'] = Array.from({ length: 7 }, (_, day) => {
    const name = `wellhouse-cdcdcdcd-2026010${7 - day}T033000Z.tar.zst.age`;
    const path = `/media/usb/wellhouse/${name}`;
    return {
      path,
      name,
      bytes: 12_300_000,
      madeAt: startedAt - day * DAY,
      isBefore: false,
      encryption: 'recipient',
      isVerified: true,
    };
  });
  let opened: BackupsView['opened'] = null;
  let heldBack: BackupsView['heldBack'] = [];
  const fine = { problem: null };
  return {
    backups: () => ({
      plan,
      pinned: [],
      folderProblem: null,
      doubt: null,
      isOnDataDisk: false,
      elsewhere: [],
      files: plan.folder === null ? [] : files,
      last: { at: startedAt, path: files[0]!.path, bytes: 12_300_000, durationMs: 4200, encryption: 'recipient' },
      failure: null,
      nextAt: plan.folder === null ? null : startedAt + DAY,
      work: null,
      opened,
      restored: null,
      heldBack,
      kept: null,
    }),
    planBackups: (changed) => {
      plan = changed;
      onEvent('backups', {});
      return fine;
    },
    confirmBackupFolder: () => fine,
    listBackups: () => ({ folders: [{ path: '/media/usb/wellhouse', isPlanned: true, problem: null, files }] }),
    keystoreBackup: () => ({ at: null, isCurrent: false }),
    makeBackup: () => fine,
    checkBackup: ({ path }) => {
      const held = { devices: 3, readings: 120_000, lastReceivedAt: startedAt };
      const contents = {
        ...{
          madeAt: startedAt,
          program: '0.0.0',
          publicKey: 'cd'.repeat(32),
          host: 'pi',
          dataDir: '/data',
          isOlder: false,
          active: [],
        },
        ...{ private: held, public: null },
      };
      opened = { kind: 'check', path, at: startedAt, contents, problem: null, aside: null, health: null };
      onEvent('backups', {});
      return fine;
    },
    restoreBackup: () => {
      heldBack = [
        { id: 'door', kind: 'door', detail: '192.168.1.20, 3443' },
        { id: 'channel 1', kind: 'channel', detail: 'webhook https://hooks.example.org/alerts' },
      ];
      onEvent('backups', {});
      return fine;
    },
    confirmHeldBack: ({ ids }) => {
      heldBack = heldBack.filter(({ id }) => !ids.includes(id));
      onEvent('backups', {});
      return fine;
    },
    dropHeldBack: ({ ids }) => {
      heldBack = heldBack.filter(({ id }) => !ids.includes(id));
      onEvent('backups', {});
      return fine;
    },
    undoRestore: () => fine,
    backupFile: () => ({ encryption: 'recipient', problem: null }),
    cancelCare: () => ({}),
    dismissRestored: () => ({}),
  };
}
