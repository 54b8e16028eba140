import type { NoticeFacts } from '../channels/notice.ts';
import { type ChannelRecord, HOUR_MS } from './delivery.ts';

/** Messages that come together are told together. */
const GATHER_MS = 60_000;
/** A critical alert among them does not wait for the hour to end. */
const CRITICAL_AFTER_MS = 10 * 60_000;
const MAX_NAMES = 10;

/** Counts a message that is begun now, or gives null where the hour has had as many as it may. */
export function begin(record: ChannelRecord, now: number, maxPerHour: number): ChannelRecord | null {
  // Times to come are left from before the clock was set back.
  const begunAt = record.begunAt.filter((at) => at > now - HOUR_MS && at <= now);
  return begunAt.length < maxPerHour ? { ...record, begunAt: [...begunAt, now] } : null;
}

/** Puts a message to those that are told together. */
export function hold(
  record: ChannelRecord,
  { severity, kind, alert, device }: NoticeFacts,
  now: number,
): ChannelRecord {
  const { count = 0, since = now, isCritical = false, about = [] } = record.held ?? {};
  const isWorse = severity === 'critical' && kind !== 'ended';
  const name = device?.name ?? alert?.name ?? '';
  const others = about.filter((each) => each !== name);
  const names = name === '' ? about : isWorse ? [name, ...others] : [...others, name];
  const held = { count: count + 1, since, isCritical: isCritical || isWorse, about: names.slice(0, MAX_NAMES) };
  return { ...record, held };
}

/** When the owner is next told about held messages: at most once an hour, unless a critical one is among them. */
export function summaryAt({ held, summaryAt: last }: ChannelRecord, now: number): number | null {
  if (held === null) return null;
  const soonest = held.since + GATHER_MS;
  if (last === null || last > now) return soonest;
  return Math.max(soonest, last + (held.isCritical ? CRITICAL_AFTER_MS : HOUR_MS));
}
