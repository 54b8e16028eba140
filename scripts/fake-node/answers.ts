import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { correctionsOf } from '../../src/shared/measures/correction.ts';
import type { OwnerReading } from '../../src/shared/owner-api/readings.ts';
import type { SettingChange } from '../../src/shared/owner-api/settings.ts';
import type { OwnerChoices } from '../../src/shared/owner-data/choices.ts';
import { calibrationsIn, type JournalEntry } from '../../src/shared/owner-data/journal.ts';
import { NO_CHOICES } from '../../src/shared/owner-data/no-choices.ts';
import { type DeviceNotes, NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { alertAnswers } from './alerts.ts';
import { auditAnswers } from './audit.ts';
import { backupAnswers } from './backups.ts';
import { connectionAnswers } from './connections.ts';
import { cycleAnswers } from './cycles.ts';
import { type FakeDevice, fakeDevices } from './devices.ts';
import { doorAnswers } from './door.ts';
import { exportAnswers } from './exports.ts';
import { type Answers, FakeError, type OnFakeEvent } from './fake.ts';
import { gateAnswers } from './gate.ts';
import { photoAnswers } from './photos.ts';
import { spaceAnswers } from './space.ts';
import { taskAnswers } from './tasks.ts';
import { detailOf, historyOf, knockingDevice, passes, readingsOf, settingsViewOf, summaryOf } from './views.ts';

const LOCAL_URL = 'http://127.0.0.1:3001';

/**
 * Returns the answers of a fake node with this number of devices, or with the given devices. Their readings are a
 * function of time; the owner's changes are stored in memory. `startedAt` is in Unix milliseconds.
 */
export function fakeAnswers(given: number | readonly FakeDevice[], startedAt: number, onEvent: OnFakeEvent): Answers {
  const all = typeof given === 'number' ? fakeDevices(given, startedAt) : given;
  const devices = new Map(all.map((device) => [device.id, device]));
  const notes = new Map<string, DeviceNotes>();
  let choices: OwnerChoices = NO_CHOICES;
  const journal = new Map<number, JournalEntry>();
  let lastEntry = 0;
  let changes: SettingChange = {};
  let keystore: { blob: string | null; previous: string | null } = { blob: null, previous: null };
  let demo: FakeDevice[] = [];

  const find = (id: string): FakeDevice => {
    const device = devices.get(id);
    if (device === undefined) throw new FakeError('not_found');
    return device;
  };
  const notesOf = (id: string) => notes.get(id) ?? NO_NOTES;
  const correctionsOfDevice = (id: string) =>
    correctionsOf(calibrationsIn([...journal.values()].filter(({ device }) => device === id)));
  const revision = () => keystore.blob && bytesToHex(sha256(base64.decode(keystore.blob)));
  const forget = (id: string) => {
    devices.delete(id);
    onEvent('devices', {});
  };

  const journalOf: Pick<Answers, 'journal' | 'writeJournalEntry' | 'deleteJournalEntry'> = {
    journal: ({ device, from, to }) => ({
      entries: [...journal.values()]
        .filter((entry) => device === null || entry.device === null || entry.device === device)
        .filter(({ at }) => at >= (from ?? 0) && at <= (to ?? at))
        .sort((a, b) => a.at - b.at),
      isCut: false,
    }),
    writeJournalEntry: (input) => {
      const entry = { ...input, id: input.id ?? ++lastEntry, updatedAt: Date.now() };
      journal.set(entry.id, entry);
      onEvent('journal', {});
      return entry;
    },
    deleteJournalEntry: ({ id }) => {
      if (!journal.delete(id)) throw new FakeError('not_found');
      onEvent('journal', {});
      return {};
    },
  };

  const [first] = devices.keys();
  return {
    ...alertAnswers(first ?? null, startedAt, onEvent),
    caller: () => ({ role: 'owner', name: null, isBounded: false, mayUnlock: true, mayLog: true }),
    nodeInfo: () => ({
      version: '0.0.0',
      publicKey: 'cd'.repeat(32),
      publicUrl: null,
      localUrl: LOCAL_URL,
      addresses: ['192.168.1.20'],
      exposedAt: [],
      clock: { state: 'known', aheadMs: 0, lastStep: null },
      dataDir: '/home/you/.config/Wellhouse/data',
      ownerView: 'browser',
    }),
    ...gateAnswers(onEvent),
    ...auditAnswers(startedAt, first ?? null),
    ...doorAnswers(startedAt, () => changes.doorAddress ?? null, onEvent),
    ...connectionAnswers(
      () => changes,
      () => devices.size,
      onEvent,
    ),
    nodes: () => ({ nodes: [] }),
    lookAtNode: () => ({ problem: 'link' }),
    addNode: () => ({ problem: 'link' }),
    renameNode: () => ({}),
    removeNode: () => ({}),
    witnesses: () => ({
      stores: [{ store: 'private', broken: null, found: null, witnesses: [] }],
      refused: [],
      outlets: [],
    }),
    cosignCheckpoint: () => ({ outcome: 'refused', reason: 'form' }),
    callNode: () => ({ ok: false, error: 'disconnected' }),
    ...spaceAnswers(() => [...devices.keys()]),
    damagedFiles: () => ({ files: [] }),
    dismissDamagedFile: () => ({}),
    storage: () => ({
      stores: [{ store: 'private', refusing: null }],
      room: { freeBytes: 40e9, totalBytes: 250e9, isLow: false },
    }),
    overview: ({ dayStart }) => {
      const now = Date.now();
      const summaries = [...devices.values()].map((device) =>
        summaryOf(device, notesOf(device.id), now, correctionsOfDevice(device.id)),
      );
      return {
        now,
        devices: summaries.filter(({ notes }) => !notes.isHidden),
        hidden: summaries.filter(({ notes }) => notes.isHidden),
        unlisted: { claimed: 0, others: 0 },
        unregistered: devices.size === 0 ? [] : [knockingDevice(now)],
        totals: {
          readingsToday: [...devices.values()].reduce((sum, device) => {
            const { first, last } = device.places(dayStart, null, now);
            return sum + Math.max(0, last - first + 1);
          }, 0),
          rejectedToday: [{ store: 'public', cause: 'device_not_found', count: 3 }],
          stores: [
            { store: 'private', bytes: 81_920_000 },
            { store: 'public', bytes: 4_096_000 },
          ],
        },
        demo: demo.length > 0,
        demoDevices: demo.map(({ id }) => id),
      };
    },
    device: ({ id }) => detailOf(find(id), notesOf(id), Date.now(), correctionsOfDevice(id)),
    latestReadings: ({ id, limit }) => {
      const { first, last } = find(id).places(null, null, Date.now());
      return { readings: readingsOf(find(id), Math.max(first, last - limit + 1), last).reverse() };
    },
    readingsPage: ({ id, from, to, cursor, limit, order, filter = null }) => {
      const { first, last } = find(id).places(from, to, Date.now());
      const start = Number(cursor ?? 0);
      const end = start + limit;
      const ordered = (begin: number, until: number) => {
        const readings = readingsOf(find(id), begin, until);
        return order === 'descending' ? readings.toReversed() : readings;
      };
      const total = Math.max(0, last - first + 1);
      const page = (readings: OwnerReading[], count: number) => ({
        readings,
        next: end < count ? String(end) : null,
        total: cursor === null ? count : null,
      });
      // All readings of forty days are computed only if a filter has to read them.
      if (filter === null) {
        const [begin, until] =
          order === 'descending' ? [last - end + 1, last - start] : [first + start, first + end - 1];
        return page(ordered(Math.max(first, begin), Math.min(last, until)), total);
      }
      const all = ordered(first, last).filter((reading) => passes(reading, filter));
      return page(all.slice(start, end), all.length);
    },
    proofPage: ({ id, from, to, cursor, limit }) => {
      const time = (text: string | null) => (text === null ? null : Number(text));
      const { first, last } = find(id).places(time(from), time(to), Date.now());
      const start = first + Number(cursor ?? 0);
      const readings = readingsOf(find(id), start, Math.min(last, start + limit - 1));
      const lineOf = (seq: string) => `${JSON.stringify({ index: Number(seq), entry: `reading ${seq}`, path: [] })}\n`;
      return {
        begin:
          cursor === null
            ? { lines: `${JSON.stringify({ format: 'fake', device: id })}\n`, corrections: 0, registrations: 0 }
            : null,
        readings: readings.map(({ seq, receivedAt }) => ({ seq, receivedAt, line: lineOf(seq) })),
        next: start + limit <= last ? String(start + limit - first) : null,
      };
    },
    history: ({ id, from, to, maxPoints, asSent = false }) =>
      historyOf(find(id), from, to, maxPoints, Date.now(), asSent ? [] : correctionsOfDevice(id)),
    ownerChoices: () => choices,
    setOwnerChoices: (changed) => {
      const given = Object.entries(changed).filter(([, part]) => part !== undefined);
      choices = { ...choices, ...Object.fromEntries(given) };
      onEvent('choices', {});
      return choices;
    },
    ...journalOf,
    ...photoAnswers(
      () => [...journal.values()],
      () => changes.photosMaxBytes,
    ),
    ...taskAnswers(journalOf, onEvent),
    ...cycleAnswers(onEvent),
    setNotes: (input) => {
      notes.set(find(input.id).id, { ...input.notes, isHidden: input.notes.isHidden ?? false });
      onEvent('devices', {});
      return notesOf(input.id);
    },
    forgetDevice: ({ id }) => {
      const { first, last } = find(id).places(null, null, Date.now());
      forget(id);
      return { readings: Math.max(0, last - first + 1) };
    },
    readKeystore: () => ({ ...keystore, revision: revision() }),
    writeKeystore: ({ blob, expectedRevision }) => {
      if (expectedRevision !== revision()) throw new FakeError('conflict');
      keystore = { blob, previous: keystore.blob };
      return { revision: revision() };
    },
    startDemo: () => {
      demo = fakeDevices(3, startedAt).filter(({ id }) => !devices.has(id));
      for (const device of demo) devices.set(device.id, device);
      onEvent('devices', {});
      return {};
    },
    stopDemo: () => {
      for (const { id } of demo) forget(id);
      demo = [];
      return {};
    },
    getSettings: () => settingsViewOf(changes, LOCAL_URL),
    setSettings: ({ change }) => {
      changes = { ...changes, ...change };
      onEvent('settings', {});
      return { saved: true, view: settingsViewOf(changes, LOCAL_URL) };
    },
    // Only for the desktop app.
    ...backupAnswers(startedAt, onEvent),
    ...exportAnswers(() => [...devices.keys()].length, onEvent),
    getMoves: () => ({ move: null, oldData: [] }),
    moveData: () => ({ problem: 'not_applicable' }),
    cancelMove: () => ({}),
    useDataDir: () => ({ problem: 'not_applicable' }),
    deleteOldData: () => ({ deleted: false }),
    diagnostics: () => ({
      name: 'wellhouse-diagnostics.zip',
      // An empty archive.
      zip: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
      files: [{ name: 'report.json', text: '{}' }],
    }),
  } satisfies Answers;
}
