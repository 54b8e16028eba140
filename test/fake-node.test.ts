import { describe, expect, it } from 'vitest';
import { FAKE_ID } from '../scripts/fake-node/alerts.ts';
import { fakeAnswers } from '../scripts/fake-node/answers.ts';
import { fakeDevices } from '../scripts/fake-node/devices.ts';
import { callFake, FakeError } from '../scripts/fake-node/fake.ts';
import { METHODS, type MethodName } from '../src/shared/owner-api/contract.ts';
import { EVENTS, type EventName } from '../src/shared/owner-api/events.ts';
import { UNKNOWN_DEVICE, UNKNOWN_ID, VALID_INPUTS } from './support/owner-inputs.ts';

const startedAt = Date.now();
const DEVICES = fakeDevices(8, startedAt).map(({ id }) => id);
const events: [EventName, unknown][] = [];
const answers = () => fakeAnswers(8, startedAt, (event, payload) => events.push([event, payload]));

describe('the fake node', () => {
  it('answers every method of the contract, and no other', () => {
    expect(Object.keys(answers()).sort()).toEqual(Object.keys(METHODS).sort());
    expect(() => callFake(answers(), 'noSuchMethod', {})).toThrow(new FakeError('unknown_method'));
    expect(() => callFake(answers(), 'overview', {})).toThrow(new FakeError('invalid_input'));
  });

  it.each(Object.keys(METHODS) as MethodName[])(
    'answers %s as the contract has it, for each of its devices',
    (method) => {
      const input: object = VALID_INPUTS[method];
      const id = 'id' in input ? input.id : null;
      const inputs =
        id === UNKNOWN_DEVICE
          ? DEVICES.map((device) => ({ ...input, id: device, ...('confirm' in input ? { confirm: device } : {}) }))
          : [id === UNKNOWN_ID ? { ...input, id: FAKE_ID } : input];
      for (const each of inputs) {
        const node = answers();
        node.writeJournalEntry({ id: null, device: null, at: startedAt, text: 'changed nutrients' });
        // Tasks and cycles have ids of their own, which no other fake answer knows.
        const task = node.writeTask(VALID_INPUTS.writeTask);
        const cycle = node.writeCycle(VALID_INPUTS.writeCycle);
        const own = method.endsWith('Task') ? task : method.endsWith('Cycle') ? cycle : null;
        const chosen = own === null || id === null ? each : { ...each, id: own.id };
        expect(() => callFake(node, method, chosen), JSON.stringify(chosen)).not.toThrow();
      }
    },
  );

  it('reports changes by events of the contract', () => {
    events.length = 0;
    const node = answers();
    for (const method of ['startDemo', 'stopDemo', 'setSettings'] as const)
      callFake(node, method, VALID_INPUTS[method]);
    expect(events.map(([name]) => name)).toContain('settings');
    for (const [name, payload] of events) EVENTS[name].parse(payload);
  });

  it('returns the same readings by page, as the newest and over a range', () => {
    const node = answers();
    const id = DEVICES[1]!;
    const { readings } = node.latestReadings({ id, limit: 50 });
    const oldest = readings.at(-1)!.receivedAt;
    const range = { id, from: oldest, to: readings[0]!.receivedAt };
    const first = node.readingsPage({ ...range, cursor: null, limit: 30 });
    const second = node.readingsPage({ ...range, cursor: first.next, limit: 30 });
    expect([...first.readings, ...second.readings]).toEqual(readings.toReversed());
    expect([first.total, second.total, second.next]).toEqual([50, null, null]);
    const { times, stepMs, fields } = node.history({ ...range, maxPoints: 100 });
    expect([times.length, stepMs]).toEqual([50, null]);
    expect(fields.tempWater.mean).toEqual(readings.toReversed().map((reading) => reading.fields.tempWater));
    expect(fields.ph.sealed.every((count) => count === 1)).toBe(true);
  });
});
