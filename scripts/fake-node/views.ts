import { correctedValue } from '../../src/shared/measures/correction.ts';
import type { DeviceDetail, DeviceSummary } from '../../src/shared/owner-api/devices.ts';
import type { UnregisteredDevice } from '../../src/shared/owner-api/overview.ts';
import type { History, OwnerReading, ReadingFilter } from '../../src/shared/owner-api/readings.ts';
import type { SettingChange, SettingsView } from '../../src/shared/owner-api/settings.ts';
import type { DeviceNotes } from '../../src/shared/owner-data/notes.ts';
import { FIELD_NAMES, type FieldName, SENSOR_FIELDS } from '../../src/shared/protocol/fields.ts';
import { SETTINGS, SHOWN_NAMES } from '../../src/shared/settings/table.ts';
import type { FakeDevice } from './devices.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function perField<T>(of: (field: FieldName) => T): Record<FieldName, T> {
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, of(field)])) as Record<FieldName, T>;
}

/** Returns readings by their places, both inclusive, oldest first. */
export function readingsOf(device: FakeDevice, first: number, last: number): OwnerReading[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => device.reading(first + index));
}

/** Returns whether a reading passes a filter. */
export function passes({ fields }: OwnerReading, filter: ReadingFilter | null): boolean {
  if (filter === null) return true;
  const { field, form, min, max } = filter;
  const value = fields[field];
  if (value === null) return false;
  if (min !== null || max !== null) {
    return typeof value === 'number' && value >= (min ?? value) && value <= (max ?? value);
  }
  return form === 'any' || (typeof value === 'number') === (form === 'plain');
}

export function summaryOf(
  device: FakeDevice,
  notes: DeviceNotes,
  now: number,
  corrections: DeviceSummary['corrections'],
): DeviceSummary {
  const { id, name, ownerPubkey, clockNotSet, whose, everyMs, stores } = device;
  const { first, last } = device.places(null, null, now);
  const newest = last < first ? null : device.reading(last);
  const startAt = Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS;
  const hours = Array.from({ length: 24 }, (_, hour) => startAt + hour * HOUR_MS);
  const dispositions = perField((field) => (device.encrypt.has(field) ? 2 : 1));
  return {
    id,
    mac: `02${id.slice(0, 10)}`,
    ownerPubkey,
    ownerName: null,
    name,
    type: 0,
    // A cell of about a square kilometre in Copenhagen.
    location: '613035285877358591',
    hardware: { model: 'ESP32 (fake)', firmware_version: '1.0.0' },
    stores: stores.map((store) => ({
      store,
      publishTo: store === 'private' && stores.length === 1 ? 0 : 1,
      privacyPolicy: Object.fromEntries(
        SENSOR_FIELDS.map((field) => [field.policyName, { default_disposition: dispositions[field.name] }]),
      ),
      dispositions,
      createdAt: now - 40 * 24 * HOUR_MS,
    })),
    notes,
    corrections,
    hasNamesake: false,
    mine: notes.mine ?? whose === 'mine',
    claimed: notes.mine === null && whose === 'claimed',
    lastReceivedAt: newest === null ? null : newest.receivedAt,
    usualIntervalMs: newest === null ? null : everyMs,
    silentAfterMs: notes.silentAfterMs ?? 3 * (everyMs ?? HOUR_MS),
    clockNotSet,
    newest: perField((field) => {
      const place = newestPlace(device, field, first, last);
      if (place === null) return null;
      const { seq, keyVersion, receivedAt, timestamp, fields } = device.reading(place);
      const measuredAt = clockNotSet ? null : Number(timestamp);
      const value = fields[field];
      return {
        value,
        seq,
        keyVersion,
        receivedAt,
        measuredAt,
        isEntered: false,
        unchangedSince: null,
        isUnchangedLonger: false,
      };
    }),
    sparkline: {
      startAt,
      stepMs: HOUR_MS,
      values: Object.fromEntries(
        FIELD_NAMES.filter((field) => !device.encrypt.has(field)).map((field) => [
          field,
          hours.map((hour) => {
            const mean = hourlyMean(device, field, hour, newest?.receivedAt ?? 0);
            return mean === null ? null : correctedValue(corrections, field, hour, mean);
          }),
        ]),
      ),
    },
  };
}

/** Returns the place of the newest reading that has a field; null if none has it. */
function newestPlace(device: FakeDevice, field: FieldName, first: number, last: number): number | null {
  for (let place = last; place >= first; place -= 1) {
    if (!device.isExact || device.reading(place).fields[field] !== null) return place;
  }
  return null;
}

function hourlyMean(device: FakeDevice, field: FieldName, hour: number, until: number): number | null {
  if (!device.isExact) return hour < until ? device.plainAt(field, hour + HOUR_MS / 2) : null;
  const { first, last } = device.places(hour, hour + HOUR_MS - 1, until);
  return mean(plainOf(readingsOf(device, first, last), field));
}

const plainOf = (readings: readonly OwnerReading[], field: FieldName): number[] =>
  readings.map(({ fields }) => fields[field]).filter((value) => typeof value === 'number');

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

export function detailOf(
  device: FakeDevice,
  notes: DeviceNotes,
  now: number,
  corrections: DeviceSummary['corrections'],
): DeviceDetail {
  const summary = summaryOf(device, notes, now, corrections);
  const { first, last } = device.places(null, null, now);
  const count = Math.max(0, last - first + 1);
  return {
    ...summary,
    withheld: [],
    readings: summary.stores.map(({ store }) => ({ store, count })),
    held: summary.stores.map(({ store, dispositions }) => ({
      store,
      fields: perField((field) => {
        if (!device.isExact)
          return dispositions[field] === 2 ? { plain: 0, sealed: count } : { plain: count, sealed: 0 };
        const readings = readingsOf(device, first, last).filter(({ fields }) => fields[field] !== null);
        const plain = plainOf(readings, field).length;
        return { plain, sealed: readings.length - plain };
      }),
    })),
    span: count === 0 ? null : { from: device.timeOf(first), to: device.timeOf(last) },
    timesMoved: [],
  };
}

/** Returns single readings if they are few enough, else steps of whole intervals, each computed from three places. */
export function historyOf(
  device: FakeDevice,
  from: number | null,
  to: number | null,
  maxPoints: number,
  now: number,
  corrections: DeviceSummary['corrections'],
): History {
  const { first, last } = device.places(from, to, now);
  if (device.isExact) return corrected(exactHistory(device, first, last, maxPoints), corrections);
  const everyMs = device.everyMs!;
  const perStep = Math.max(1, Math.ceil((last - first + 1) / (maxPoints - 1)));
  const stepMs = perStep * everyMs;
  const times: number[] = [];
  for (let time = Math.floor((first * everyMs) / stepMs) * stepMs; time <= last * everyMs; time += stepMs)
    times.push(time);
  const seriesOf = (field: FieldName) => {
    const isSealed = device.encrypt.has(field);
    const inStep = times.map((time) =>
      [0, 0.5, 1].map((part) => device.plainAt(field, time + part * (stepMs - everyMs))),
    );
    const values = inStep.map((looks) => looks.filter((value) => value !== null));
    const orNull = (of: (values: number[]) => number) => values.map((each) => (each.length === 0 ? null : of(each)));
    return {
      min: orNull((each) => Math.min(...each)),
      max: orNull((each) => Math.max(...each)),
      mean: orNull((each) => each.reduce((sum, value) => sum + value, 0) / each.length),
      count: times.map(() => (isSealed ? 0 : perStep)),
      sealed: times.map(() => (isSealed ? perStep : 0)),
    };
  };
  const history: History = {
    axis: device.clockNotSet ? 'received' : 'timestamp',
    stepMs: perStep === 1 ? null : stepMs,
    times,
    fields: perField(seriesOf),
  };
  return corrected(history, corrections);
}

/** Corrects each step with the correction at its start. */
function corrected(history: History, corrections: DeviceSummary['corrections']): History {
  const by = (field: FieldName, values: readonly (number | null)[]) =>
    values.map((value, index) =>
      value === null ? null : correctedValue(corrections, field, history.times[index]!, value),
    );
  return {
    ...history,
    fields: perField((field) => {
      const { min, max, mean, ...counts } = history.fields[field];
      return { ...counts, min: by(field, min), max: by(field, max), mean: by(field, mean) };
    }),
  };
}

/** Returns every reading, alone or in its step. */
function exactHistory(device: FakeDevice, first: number, last: number, maxPoints: number): History {
  const count = Math.max(0, last - first + 1);
  const spanMs = count === 0 ? 0 : device.timeOf(last) - device.timeOf(first);
  const stepMs = count <= maxPoints ? null : Math.ceil(spanMs / (maxPoints - 1) / MINUTE_MS) * MINUTE_MS;
  const steps = new Map<number, OwnerReading[]>();
  for (let place = first; place <= last; place += 1) {
    const time = device.timeOf(place);
    const start = stepMs === null ? time : Math.floor(time / stepMs) * stepMs;
    steps.set(start, [...(steps.get(start) ?? []), device.reading(place)]);
  }
  const all = [...steps.values()];
  return {
    axis: device.clockNotSet ? 'received' : 'timestamp',
    stepMs,
    times: [...steps.keys()],
    fields: perField((field) => {
      const values = all.map((readings) => plainOf(readings, field));
      const orNull = (of: (...values: number[]) => number) =>
        values.map((each) => (each.length === 0 ? null : of(...each)));
      return {
        min: orNull(Math.min),
        max: orNull(Math.max),
        mean: values.map(mean),
        count: values.map(({ length }) => length),
        sealed: all.map((each) => each.filter(({ fields }) => typeof (fields[field] ?? 0) === 'object').length),
      };
    }),
  };
}

/** Returns a device that sends without being registered. */
export function knockingDevice(now: number): UnregisteredDevice {
  return {
    id: 'ef'.repeat(32),
    stores: ['private'],
    isOurs: true,
    attempts: 12,
    firstAt: now - HOUR_MS,
    lastAt: now - 20_000,
    lastError: 'device_not_found',
  };
}

/** Returns the settings of a node in a browser, with the changes. */
export function settingsViewOf(changes: SettingChange, localUrl: string): SettingsView {
  const settings = Object.fromEntries(
    SHOWN_NAMES.map((name) => {
      const { default: byDefault, variable, scope } = SETTINGS[name];
      const changed = (changes as Readonly<Record<string, unknown>>)[name];
      return [
        name,
        {
          value: changed ?? byDefault,
          source: changed === undefined ? 'default' : 'file',
          variable,
          applies: scope === 'node',
        },
      ];
    }),
  );
  return {
    ownerView: 'browser',
    settings: settings as SettingsView['settings'],
    file: { path: '/home/you/.config/Wellhouse/settings.json', edited: [] },
    localUrl,
    publicUrl: null,
    addresses: [{ address: '192.168.1.20', interface: 'eth0', scope: 'lan' }],
  };
}
