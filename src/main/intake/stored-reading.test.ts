import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { type ReadingOnDisk, StoredReadings, storedReading } from './stored-reading.ts';

const ID = 'ab'.repeat(32);
const NONE = perFieldName(() => null);
const READING: ReadingOnDisk = { seq: '1', timestamp: '2', receivedAt: 3, keyVersion: 4, fields: NONE };

describe('a stored reading', () => {
  it('has its plain values and the names of its sealed fields', () => {
    const fields = { ...NONE, humidity: new Uint8Array(28), ph: 6.2, ec: 0, tempWater: new Uint8Array(0) };
    expect(storedReading(ID, { ...READING, fields })).toEqual({
      ...{ deviceId: ID, seq: '1', timestamp: '2', receivedAt: 3 },
      values: { ph: 6.2, ec: 0 },
      sealed: ['tempWater', 'humidity'],
    });
  });

  it('has 64-bit values as text, and may have no field', () => {
    const reading = { ...READING, seq: 18446744073709551615n, timestamp: 0n };
    expect(storedReading(ID, reading)).toEqual({
      ...{ deviceId: ID, seq: '18446744073709551615', timestamp: '0', receivedAt: 3 },
      ...{ values: {}, sealed: [] },
    });
  });
});

describe('the readings of one commit', () => {
  let events: EventBus<NodeEventMap>;
  let readings: StoredReadings;
  /** The counts and the events, in their order. */
  let told: (number | NodeEventMap['stored'])[];
  const hear = () => events.on('stored', (stored) => told.push(stored));
  const add = (...seqs: string[]) => {
    for (const seq of seqs) readings.add(ID, { ...READING, seq });
  };
  const eventOf = (...seqs: string[]) => ({
    store: 'public',
    readings: seqs.map((seq) => storedReading(ID, { ...READING, seq })),
  });

  beforeEach(() => {
    events = new EventBus<NodeEventMap>(pino({ level: 'silent' }));
    told = [];
    readings = new StoredReadings('public', events, (count) => told.push(count));
  });

  it('are counted and then announced together, once in their turn', async () => {
    hear();
    add('1', '2');
    expect(told).toEqual([]);
    await Promise.resolve();
    expect(told.splice(0)).toEqual([2, eventOf('1', '2')]);
    await Promise.resolve();
    expect(told).toEqual([]);
    add('3');
    await Promise.resolve();
    expect(told).toEqual([1, eventOf('3')]);
  });

  it('are only counted if nothing listens', async () => {
    add('1', '2', '3');
    hear();
    await Promise.resolve();
    expect(told.splice(0)).toEqual([3]);
    add('4');
    await Promise.resolve();
    expect(told).toEqual([1, eventOf('4')]);
  });
});
