import { expect, it } from 'vitest';
import { type DeviceSummary, NO_NOTES } from '../../../../shared/owner-api/devices.ts';
import type { Storage } from '../../../../shared/owner-api/storage.ts';
import { type Known, needsNow } from './needs.ts';

const NOW = 1_000_000_000;

function device(id: string, more: Partial<DeviceSummary> = {}): DeviceSummary {
  const summary = { id, mine: true, clockNotSet: false, lastReceivedAt: NOW, silentAfterMs: 1000, notes: NO_NOTES };
  return { ...summary, ...more } as DeviceSummary;
}

const silent = (id: string) => device(id, { lastReceivedAt: NOW - 5000 });

function kinds(devices: readonly DeviceSummary[], more: Partial<Known> = {}): string[] {
  const known = {
    overview: { devices: [...devices] },
    storage: undefined,
    isKnocking: false,
    hasOnlyKeys: false,
    now: NOW,
  };
  return needsNow({ ...known, ...more }).map(({ kind }) => kind);
}

const full: Storage = {
  stores: [
    { store: 'private', refusing: { since: 1, cause: 'full', message: 'full' } },
    { store: 'public', refusing: null },
  ],
  room: { freeBytes: 0, totalBytes: 100, isLow: true },
};

it('is empty where all is well', () => {
  expect(kinds([device('a')])).toEqual([]);
});

it('puts the worst first', () => {
  const all = { storage: full, isKnocking: true, hasOnlyKeys: true };
  expect(kinds([device('a', { clockNotSet: true }), silent('b')], all)).toEqual([
    'store',
    'silent',
    'room',
    'knocking',
    'clock',
    'keys',
  ]);
});

it('tells many devices as one', () => {
  expect(kinds(['a', 'b', 'c'].map(silent))).toEqual(['silent', 'silent', 'silent']);
  expect(kinds(['a', 'b', 'c', 'd'].map(silent))).toEqual(['manySilent']);
});

it('is not moved by devices of others, or that are switched off', () => {
  expect(kinds([{ ...silent('a'), mine: false }])).toEqual([]);
  expect(kinds([{ ...silent('a'), notes: { ...NO_NOTES, status: 1 }, clockNotSet: true }])).toEqual([]);
});
