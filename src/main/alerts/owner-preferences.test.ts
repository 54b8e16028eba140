import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../test/support/alert-notices.ts';
import { OwnerStoresForTest } from '../../../test/support/owner-stores.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { fileLocation } from '../store/locations.ts';
import { OwnerPreferences } from './owner-preferences.ts';

const HOURS = { from: '07:00', to: '21:00' };

let stores: OwnerStoresForTest;
beforeAll(() => {
  stores = new OwnerStoresForTest();
});
afterAll(() => stores.dispose());

let events: EventBus<NodeEventMap>;
let logged: Record<string, unknown>[];
let locations: typeof stores.paths;
let preferences: OwnerPreferences;
beforeEach(() => {
  logged = [];
  locations = stores.paths;
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  events = new EventBus<NodeEventMap>(log);
  preferences = new OwnerPreferences(() => locations, log);
  choose('units', { temperature: 'fahrenheit' });
  choose('climate', { [DEVICE]: { leafOffset: -2, dayHours: HOURS } });
});
afterEach(() => preferences.stop());

function choose(name: string, value: unknown): void {
  stores.write('private', [{ kind: 'choose', name, value: JSON.stringify(value), updatedAt: AT }]);
}
/** Announces changed choices, and waits until they are read. */
async function changed(...names: readonly string[]): Promise<void> {
  events.emit('chosen', () => ({ names }));
  // It also waits for the reads that are running.
  await preferences.stop();
}
const all = () => [preferences.units, preferences.leafOffsetOf(DEVICE), preferences.dayHoursOf(DEVICE)];

describe('the preferences of the owner', () => {
  it('are none before they are read', () => {
    expect(all()).toEqual([{}, null, undefined]);
  });

  it('are read at the start', async () => {
    await preferences.start(events);
    expect(all()).toEqual([{ temperature: 'fahrenheit' }, -2, HOURS]);
    expect([preferences.leafOffsetOf('other'), preferences.dayHoursOf('other')]).toEqual([null, undefined]);
  });

  it.each([
    ['the units', ['other', 'units'], true],
    ['the climate', ['climate'], true],
    ['something else', ['groups'], false],
  ])('are read again when the owner changed %s', async (_name, names, isRead) => {
    await preferences.start(events);
    choose('units', {});
    choose('climate', { [DEVICE]: { leafOffset: -3 } });
    await changed(...names);
    expect(all()).toEqual(isRead ? [{}, -3, undefined] : [{ temperature: 'fahrenheit' }, -2, HOURS]);
  });

  it('are read no more after a stop', async () => {
    await preferences.start(events);
    await preferences.stop();
    choose('units', {});
    expect(events.isHeard('chosen')).toBe(false);
    await changed('units');
    expect(preferences.units).toEqual({ temperature: 'fahrenheit' });
  });

  it('are none if they are damaged', async () => {
    choose('units', 'damaged');
    choose('climate', [7]);
    await preferences.start(events);
    expect([all(), logged]).toEqual([[{}, null, undefined], []]);
  });

  it('stay as they were if the stores can’t be read', async () => {
    await preferences.start(events);
    locations = { ...stores.paths, private: fileLocation('/no such folder/private.db') };
    await changed('units');
    expect(all()).toEqual([{ temperature: 'fahrenheit' }, -2, HOURS]);
    expect(logged).toEqual([
      {
        ...{ level: 40, err: expect.anything() },
        msg: 'messages have the units that devices send: the owner’s can’t be read',
      },
    ]);
  });
});
