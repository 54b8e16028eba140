import { expect, it } from 'vitest';
import type { Alert } from '../../../../shared/alerts/alert.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import type { Storage } from '../../../../shared/owner-api/storage.ts';
import { NO_NOTES } from '../../../../shared/owner-data/notes.ts';
import type { Task } from '../../../../shared/owner-data/tasks.ts';
import { type Known, needsNow } from './needs.ts';

const NOW = 1_000_000_000;

function device(id: string, more: Partial<DeviceSummary> = {}): DeviceSummary {
  const times = { clockNotSet: false, lastReceivedAt: NOW, silentAfterMs: 1000 };
  const summary = { id, mine: true, ...times, notes: NO_NOTES, corrections: [], newest: {} };
  return { ...summary, ...more } as DeviceSummary;
}

const silent = (id: string) => device(id, { lastReceivedAt: NOW - 5000 });

function kinds(devices: readonly DeviceSummary[], more: Partial<Known> = {}): string[] {
  const known = {
    overview: { devices: [...devices] },
    storage: undefined,
    knocking: [],
    hasOnlyKeys: false,
    alerts: [],
    tasks: [],
    today: '2026-05-10',
    now: NOW,
  };
  return needsNow({ ...known, ...more }).map(({ kind }) => kind);
}

function alert(more: Partial<Alert> = {}): Alert {
  const made = {
    id: crypto.randomUUID(),
    kind: 'range',
    state: 'firing',
    severity: 'warning',
    device: 'a',
    since: NOW,
  };
  return { ...made, ...more } as Alert;
}

const full: Storage = {
  stores: [
    { store: 'private', refusing: { since: 1, cause: 'full', message: 'full' } },
    { store: 'public', refusing: null },
  ],
  room: { freeBytes: 0, totalBytes: 100, isLow: true },
};

it('is empty if all is well', () => {
  expect(kinds([device('a')])).toEqual([]);
});

it('puts the worst first', () => {
  const alerts = [alert(), alert({ severity: 'critical', kind: 'rejected' })];
  const all = { storage: full, knocking: ['k'], hasOnlyKeys: true, alerts };
  expect(kinds([device('a', { clockNotSet: true }), silent('b')], all)).toEqual([
    'store',
    'alert',
    'silent',
    'room',
    'alert',
    'knocking',
    'clock',
    'keys',
  ]);
});

it('combines many devices into one entry', () => {
  expect(kinds(['a', 'b', 'c'].map(silent))).toEqual(['silent', 'silent', 'silent']);
  expect(kinds(['a', 'b', 'c', 'd'].map(silent))).toEqual(['manySilent']);
});

it('lists due and late tasks, the latest first, and combines many', () => {
  const task = (due: string, more: Partial<Task> = {}): Task => ({
    ...{ id: crypto.randomUUID(), device: null, title: due, everyDays: null, due, snoozedUntil: null, done: null },
    ...more,
  });
  const tasks = [
    task('2026-05-10'),
    task('2026-05-11'),
    task('2026-05-02'),
    task('2026-05-01', { snoozedUntil: '2026-05-11' }),
  ];
  const known = {
    overview: { devices: [] },
    storage: undefined,
    knocking: [],
    hasOnlyKeys: false,
    alerts: [],
    now: NOW,
  };
  const told = needsNow({ ...known, tasks, today: '2026-05-10' });
  expect(told.map((need) => need.kind === 'task' && need.task.due)).toEqual(['2026-05-02', '2026-05-10']);
  expect(kinds([], { tasks: [1, 2, 3, 4].map(() => task('2026-05-10')) })).toEqual(['manyTasks']);
});

it('ignores devices of others, and inactive ones', () => {
  expect(kinds([{ ...silent('a'), mine: false }])).toEqual([]);
  expect(kinds([{ ...silent('a'), notes: { ...NO_NOTES, status: 1 }, clockNotSet: true }])).toEqual([]);
});

it('leaves out alerts that the owner acknowledged or snoozed', () => {
  const acknowledged = (more: Partial<Alert>) => alert({ state: 'acknowledged', ...more });
  const alerts = [
    acknowledged({}),
    acknowledged({ kind: 'silent', device: 'b', state: 'snoozed' }),
    acknowledged({ kind: 'clockNotSet', device: 'a' }),
    acknowledged({ kind: 'storeRefuses', device: null, store: 'private' }),
    acknowledged({ kind: 'diskLow', device: null }),
    acknowledged({ kind: 'knocking', device: 'k' }),
  ];
  const devices = [device('a', { clockNotSet: true }), silent('b'), silent('c')];
  expect(kinds(devices, { storage: full, alerts, knocking: ['k'] })).toEqual(['silent']);
  expect(kinds([], { alerts, knocking: ['k', 'l'] })).toEqual(['knocking']);
});

it('leaves out conditions that have an alert, too', () => {
  const alerts = [
    alert({ kind: 'silent', device: 'b', severity: 'critical' }),
    alert({ kind: 'clockNotSet', device: 'a' }),
    alert({ kind: 'storeRefuses', device: null, store: 'private' }),
    alert({ kind: 'diskLow', device: null }),
    alert({ kind: 'knocking', device: 'c' }),
  ];
  const devices = [device('a', { clockNotSet: true }), silent('b')];
  expect(kinds(devices, { alerts, storage: full, knocking: ['c'] })).toEqual([
    'store',
    'silent',
    'room',
    'knocking',
    'clock',
  ]);
  // A problem without its own line is shown by its alert.
  expect(kinds(devices, { alerts })).toEqual(['silent', 'alert', 'alert', 'alert', 'clock']);
  // A rule may call a device silent before the device's own threshold does.
  expect(kinds([device('b')], { alerts: alerts.slice(0, 1) })).toEqual(['alert']);
});

it('leaves out acknowledged, snoozed and pending entries, and counts those beyond the limit', () => {
  const quiet = (['acknowledged', 'snoozed', 'pending'] as const).map((state) => alert({ state }));
  expect(kinds([], { alerts: quiet })).toEqual([]);
  const many = [1, 2, 3, 4, 5].map(() => alert());
  expect(kinds([], { alerts: many })).toEqual(['alert', 'alert', 'alert', 'manyAlerts']);
});

it('reports a sensor that drifts too far', () => {
  const at = (from: number, offset: number) => ({ field: 'ph' as const, from, slope: 1, offset });
  expect(kinds([device('a', { corrections: [at(1, -0.1), at(2, -0.5)] })])).toEqual(['drift']);
  expect(kinds([device('a', { corrections: [at(1, -0.1), at(2, -0.15)] })])).toEqual([]);
});
