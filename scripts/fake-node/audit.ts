import type { AUDIT_METHODS, AuditEntry } from '../../src/shared/owner-api/audit.ts';
import type { SECURITY_METHODS } from '../../src/shared/owner-api/security.ts';
import type { Answers } from './fake.ts';

const HOUR_MS = 3_600_000;

/** Returns an invented audit log, and the invented state of the ways of access. */
export function auditAnswers(
  startedAt: number,
  device: string | null,
): Pick<Answers, keyof typeof AUDIT_METHODS | keyof typeof SECURITY_METHODS> {
  const nobody = { name: null, id: null };
  const page = { who: { by: 'page' as const, ...nobody }, from: '127.0.0.1' };
  const phone = {
    who: { by: 'pairing' as const, name: 'My phone', id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a01' },
    from: '192.168.1.31',
  };
  const node = { who: { by: 'node' as const, ...nobody }, from: null };
  const done: Omit<AuditEntry, 'n' | 'at'>[] = [
    { ...node, kind: 'node_started', details: { version: '0.0.0', local: '127.0.0.1:3001' } },
    { ...page, kind: 'door_opened', details: { address: '192.168.1.20' } },
    { ...page, kind: 'pairing_opened', details: { name: 'My phone', role: 'owner', mayUnlock: false } },
    { ...phone, kind: 'paired', details: { name: 'My phone', role: 'owner', as: 'browser' } },
    { ...node, from: '192.168.1.77', kind: 'wrong_codes', details: { count: 3, addresses: ['192.168.1.77'] } },
    { ...page, kind: 'joining_opened', details: { closesAfterOne: true } },
    { ...phone, kind: 'settings_changed', details: { names: ['publicRateLimit', 'backupTime'] } },
    ...(device === null ? [] : [{ ...phone, kind: 'device_hidden', details: { device } }]),
    { who: { by: 'command', ...nobody }, from: null, kind: 'backup_made', details: { path: '/backups/one.wellhouse' } },
    { ...node, kind: 'node_restarted', details: { version: '0.0.0' } },
    { ...page, kind: 'keys_exported', details: { what: 'keystore' } },
  ];
  const log: AuditEntry[] = Array.from({ length: 60 }, (_, index) => ({
    ...done[index % done.length]!,
    n: index + 1,
    at: startedAt - (60 - index) * HOUR_MS,
  })).toReversed();
  return {
    auditLog: ({ kinds, by, before, limit }) => {
      const found = log.filter(
        ({ n, kind, who }) =>
          n < (before ?? Number.POSITIVE_INFINITY) &&
          (kinds === null || kinds.some((each) => each === kind)) &&
          (by === null || who.by === by),
      );
      return { entries: found.slice(0, limit), hasMore: found.length > limit, kept: log.length, isWhole: true };
    },
    tellKeysExported: () => ({}),
    security: () => ({
      now: Date.now(),
      listeners: [
        { name: 'local', state: 'listening', address: '127.0.0.1:3001', since: startedAt },
        { name: 'public', state: 'off', address: null, since: startedAt },
        { name: 'gate', state: 'listening', address: '192.168.1.20:8080', since: startedAt },
        { name: 'door', state: 'listening', address: '192.168.1.20:3443', since: startedAt },
        { name: 'metrics', state: 'off', address: null, since: startedAt },
      ],
      pairings: [
        {
          ...{ id: phone.who.id, name: phone.who.name, role: 'owner', kind: 'browser' },
          ...{ lastUsedAt: startedAt, lastAddress: phone.from },
        },
      ],
      doorKeys: 0,
      isCodeOpen: false,
      isJoiningOpen: false,
      linkMadeAt: startedAt - 900 * HOUR_MS,
      hasReadToken: false,
      keysChangedAt: startedAt - 30 * HOUR_MS,
      refused: [
        { cause: 'wrong_code', listener: 'door', count: 3, lastAt: startedAt - HOUR_MS },
        { cause: 'unknown_device', listener: 'public', count: 12, lastAt: startedAt - 2 * HOUR_MS },
      ],
      overBudget: 0,
      hosts: [],
      exposedAt: [],
      isLogWhole: true,
      newest: log.slice(0, 6),
    }),
  };
}
