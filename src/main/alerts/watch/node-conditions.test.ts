import { statfsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { AT } from '../../../../test/support/alert-notices.ts';
import { NodeUnderRules } from '../../../../test/support/node-under-rules.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { DamagedFile } from '../../../shared/owner-api/damaged-files.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: NodeUnderRules;
beforeEach(() => {
  node = new NodeUnderRules();
});

describe('a store', () => {
  const refusal = { code: 'full', message: 'no space' } as const;
  const state = (store: StoreName, isRefusing: boolean) => {
    node.events.emit('storeState', () => ({ store, refusal: isRefusing ? refusal : null }));
    return node.story();
  };

  it('that refuses writes raises an alert until it accepts them', () => {
    expect(state('public', true)).toEqual([['storeRefuses public'], true]);
    expect(node.live).toEqual([node.alertOf('storeRefuses', { store: 'public', severity: 'critical' })]);
    expect(state('public', true)).toEqual([['storeRefuses public'], false]);
    expect(state('private', false)).toEqual([['storeRefuses public'], false]);
    expect(state('public', false)).toEqual([[], true]);
  });

  it('accepts writes again when it stored a reading', () => {
    expect(node.conditions.onStored('public')).toBe(false);
    state('public', true);
    expect(node.conditions.onStored('private')).toBe(false);
    expect([node.conditions.onStored('public'), node.story()[0]]).toEqual([true, []]);
  });

  it('that is missing raises an alert with the time of its notice, as long as there is one', async () => {
    const notice = { id: crypto.randomUUID(), at: AT - HOUR, copy: null, whole: 'missing', lost: [], restored: [] };
    node.notices = [
      { ...notice, file: 'settings.json' } as DamagedFile,
      { ...notice, file: 'public.db' } as DamagedFile,
    ];
    expect(await node.look()).toBe(true);
    expect(node.live).toEqual([
      node.alertOf('storeMissing', { store: 'public', severity: 'critical', since: AT - HOUR }),
    ]);
    expect(await node.look()).toBe(false);
    node.notices = [];
    expect([await node.look(), node.story()[0]]).toEqual([true, []]);
  });

  it('whose log is broken raises an alert with the first time, and is looked at once a minute', async () => {
    node.logs = [
      { store: 'private', since: AT - HOUR },
      { store: 'private', since: AT - 2 * HOUR },
    ];
    expect(await node.look()).toBe(true);
    expect(node.live).toEqual([
      node.alertOf('logBroken', { store: 'private', severity: 'critical', since: AT - 2 * HOUR }),
    ]);
    node.logs = [{ store: null, since: AT - HOUR }];
    await node.pass(MINUTE - 1);
    expect(await node.look()).toBe(false);
    await node.pass(1);
    expect(await node.look()).toBe(true);
    expect(node.live).toMatchObject([{ kind: 'logBroken', store: null, since: AT - HOUR }]);
    node.logs = [];
    await node.pass(MINUTE);
    expect([await node.look(), node.story()[0]]).toEqual([true, []]);
  });
});

describe('the gate', () => {
  const gate = (isLost: boolean) => {
    node.events.emit('gateState', () => ({ isLost }));
    return node.story();
  };

  it('raises an alert half a minute after it was lost, until it listens', async () => {
    expect(await node.look()).toBe(false);
    gate(true);
    await node.pass(20_000);
    expect(gate(true)).toEqual([[], false]);
    await node.pass(9999);
    expect(await node.look()).toBe(false);
    await node.pass(1);
    expect(await node.look()).toBe(true);
    expect(node.live).toEqual([node.alertOf('gateLost', { severity: 'critical' })]);
    expect(gate(true)).toEqual([['gateLost'], false]);
    expect(gate(false)).toEqual([[], true]);
    await node.pass(MINUTE);
    expect([await node.look(), node.story()[0]]).toEqual([false, []]);
  });

  it('counts its time from the start again if it listened meanwhile', async () => {
    gate(true);
    await node.pass(20_000);
    gate(false);
    gate(true);
    await node.pass(29_999);
    expect(await node.look()).toBe(false);
    await node.pass(1);
    expect(await node.look()).toBe(true);
  });
});

describe('a backup', () => {
  it('raises an alert when it is as many hours overdue as the rule says, looked at once a minute', async () => {
    node.backupMissingSince = AT - 48 * HOUR + 1;
    expect(await node.look()).toBe(false);
    await node.pass(MINUTE - 1);
    expect(await node.look()).toBe(false);
    await node.pass(1);
    expect(await node.look()).toBe(true);
    expect(node.live).toEqual([
      node.alertOf('backupOverdue', { since: node.backupMissingSince, value: 48, limit: 48 }),
    ]);
    node.backupMissingSince = null;
    node.events.emit('backupsChanged', () => ({}));
    expect(node.story()).toEqual([[], true]);
  });

  it('is as many whole hours overdue as have passed, and is looked at when backups change', async () => {
    node.backupMissingSince = AT - 50 * HOUR + 1;
    node.events.emit('backupsChanged', () => ({}));
    expect(node.story()).toEqual([['backupOverdue 49'], true]);
    node.backupMissingSince = AT;
    await node.pass(MINUTE - 1);
    expect(await node.look()).toBe(false);
    await node.pass(1);
    expect(await node.look()).toBe(true);
  });
});

describe('the disk', () => {
  // Not the folder for temporary files: other tests fill and empty it meanwhile.
  const folder = import.meta.dirname;
  const disk = () => {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: (bavail * bsize) / 1e9, total: (blocks * bsize) / 1e9 };
  };
  beforeEach(() => {
    node = new NodeUnderRules(folder);
  });

  it('with less free space than the rule says raises an alert, with the value of each look every five minutes', async () => {
    const least = Math.ceil(disk().free) + 100;
    node.change('diskLow', { threshold: least });
    expect(await node.look()).toBe(true);
    const [{ value }] = node.live as [Alert];
    expect(node.live).toEqual([node.alertOf('diskLow', { severity: 'critical', value, limit: least })]);
    expect(Math.abs(value! - disk().free)).toBeLessThan(5);
    node.firings.update({ rule: node.builtIn('diskLow'), device: null, field: null, store: null }, { value: -1 });
    await node.pass(5 * MINUTE - 1);
    expect([await node.look(), node.live[0]!.value]).toEqual([false, -1]);
    await node.pass(1);
    expect(await node.look()).toBe(false);
    expect(Math.abs(node.live[0]!.value! - disk().free)).toBeLessThan(5);
  });

  it('must have a tenth more than the rule says before the alert ends', async () => {
    const { free } = disk();
    node.change('diskLow', { threshold: 2 * free + 100 });
    await node.look();
    node.change('diskLow', { threshold: free / 1.05 });
    await node.pass(5 * MINUTE);
    expect([await node.look(), node.live.length]).toEqual([false, 1]);
    node.change('diskLow', { threshold: free / 1.2 });
    await node.pass(5 * MINUTE);
    expect([await node.look(), node.live.length]).toEqual([true, 0]);
    // Without an alert there is no margin.
    node.change('diskLow', { threshold: free / 1.05 });
    await node.pass(5 * MINUTE);
    expect(await node.look()).toBe(false);
  });

  it('has its own least space without a threshold', async () => {
    const { free, total } = disk();
    expect(await node.look()).toBe(free < Math.min(total / 10, 2));
  });

  it('is looked at when the state of a store changes', async () => {
    node.change('diskLow', { threshold: 100_000 });
    node.events.emit('storeState', () => ({ store: 'private', refusal: null }));
    await expect.poll(() => node.story()[1], { interval: 1 }).toBe(true);
    expect(node.live).toMatchObject([{ kind: 'diskLow' }]);
  });

  it('that can’t be asked raises no alert', async () => {
    node = new NodeUnderRules();
    node.change('diskLow', { threshold: 100_000 });
    expect([await node.look(), node.live]).toEqual([false, []]);
  });
});
