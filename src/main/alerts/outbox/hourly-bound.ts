import type { NoticeFacts } from '../channels/notice.ts';
import { type ChannelRecord, HOUR_MS } from './delivery.ts';

/** Messages that come within this time are reported together. */
const GATHER_MS = 60_000;
/** The delay if a critical alert is among them, instead of an hour. */
const CRITICAL_AFTER_MS = 10 * 60_000;
const MAX_NAMES = 10;

/** Counts a message that is sent now. Returns null if the hourly limit is reached. */
export function begin(record: ChannelRecord, now: number, maxPerHour: number): ChannelRecord | null {
  // Times in the future are from before the clock was set back.
  const begunAt = record.begunAt.filter((at) => at > now - HOUR_MS && at <= now);
  return begunAt.length < maxPerHour ? { ...record, begunAt: [...begunAt, now] } : null;
}

/** Adds a message to those that are reported together. */
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

/**
 * Returns when the owner is next notified of held-back messages: at most once an hour, unless a critical one is among
 * them.
 */
export function summaryAt({ held, summaryAt: last }: ChannelRecord, now: number): number | null {
  if (held === null) return null;
  const soonest = held.since + GATHER_MS;
  if (last === null || last > now) return soonest;
  return Math.max(soonest, last + (held.isCritical ? CRITICAL_AFTER_MS : HOUR_MS));
}
