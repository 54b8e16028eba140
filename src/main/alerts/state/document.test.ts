import { describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../../test/support/alert-notices.ts';
import { builtInRules } from '../../../shared/alerts/rule.ts';
import { ALERTS_FILE, type AlertsDocument, NO_ALERTS } from './document.ts';

const CYCLE = {
  ...{ id: crypto.randomUUID(), stage: '2026-01-01 Seedling', logged: '' },
  deleted: [{ field: 'ph', low: 5.5, high: null } as const],
};
const KEPT: AlertsDocument = {
  ...{ ...NO_ALERTS, savedAt: AT, rules: builtInRules(), cycles: [CYCLE], digestTold: '2026-11-22' },
  live: [{ alert: someAlert(), toldAt: null }],
  devices: [{ id: DEVICE, newestAt: null, lastReceivedAt: null, fields: { ph: AT } }],
};

const { schema } = ALERTS_FILE;

describe('the state file', () => {
  it('has its name, and is empty without one', () => {
    const options = { quietHours: null, linkBase: null, language: null, digest: null };
    const empty = { version: 1, savedAt: 0, rules: [], options, live: [], devices: [], channels: [] };
    expect(ALERTS_FILE).toEqual({
      ...{ name: 'alerts.json', schema },
      empty: { ...empty, outbox: { deliveries: [], records: {} }, cycles: null, digestTold: null },
    });
    expect(schema.parse(NO_ALERTS)).toEqual(NO_ALERTS);
  });

  it('is read as it was written', () => {
    expect(schema.parse(JSON.parse(JSON.stringify(KEPT)))).toEqual(KEPT);
  });

  it('of an earlier version lacks channels, messages, cycles and summaries', () => {
    const { channels: _c, outbox: _o, cycles: _y, digestTold: _d, ...earlier } = KEPT;
    expect(schema.parse(earlier)).toEqual({ ...KEPT, channels: [], cycles: null, digestTold: null });
  });

  it.each<[string, unknown]>([
    ['version', 2],
    ['savedAt', -1],
    ['rules', [{}]],
    ['options', {}],
    ['live', [{ alert: someAlert() }]],
    ['live', [{ alert: {}, toldAt: null }]],
    ['devices', [{}]],
    ['devices', [{ ...KEPT.devices[0], newestAt: 'now' }]],
    ['devices', [{ ...KEPT.devices[0], fields: { ph: 'now' } }]],
    ['channels', [{}]],
    ['outbox', {}],
    ['cycles', [{}]],
    ['cycles', [{ ...CYCLE, id: '1' }]],
    ['cycles', [{ ...CYCLE, deleted: [{ field: 'ph', low: 5.5 }] }]],
    ['cycles', [{ ...CYCLE, deleted: [{ field: 'none', low: 5.5, high: null }] }]],
    ['digestTold', 'yesterday'],
  ])('is damaged with other %s: %j', (name, value) => {
    expect(schema.safeParse({ ...KEPT, [name]: value }).success).toBe(false);
  });
});
