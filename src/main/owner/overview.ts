import type { Input, Output, Overview, UnregisteredDevice } from '../../shared/owner-api.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import {
  allDevices,
  type KnownDevice,
  outcomesSince,
  privateOwners,
  unregisteredOf,
  withheldOf,
} from '../store/owner-devices.ts';
import type { StoreName } from '../store/owner-stores.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import type { QueryContext, QueryState } from './queries.ts';
import { isClaimed, isMine } from './summaries.ts';

const ENDPOINTS = { private: 'local', public: 'public' } as const satisfies Record<StoreName, string>;

/** Strangers register thousands of devices at the public endpoint; the list must stay as quick as without them. */
const MAX_STRANGERS_LISTED = 50;
/** A device that knocked longer ago has been seen to, or is gone. */
const KNOCKING_FOR_MS = 24 * HOUR_MS;

/** Those that registered last. */
function newestOf(known: readonly KnownDevice[]): KnownDevice[] {
  const registeredAt = ({ rows }: KnownDevice) => rows[0]!.row.createdAt;
  return known.toSorted((a, b) => registeredAt(b) - registeredAt(a)).slice(0, MAX_STRANGERS_LISTED);
}

/** Unregistered devices, each once, by whichever endpoints they knock at. */
function knocking({ stores }: QueryState, mine: ReadonlySet<string>, context: QueryContext): UnregisteredDevice[] {
  const byId = new Map<string, UnregisteredDevice>();
  for (const store of stores.names) {
    const endpoint = ENDPOINTS[store];
    for (const device of context.unregistered.get(endpoint) ?? unregisteredOf(stores, store)) {
      if (device.lastAt < context.now - KNOCKING_FOR_MS) continue;
      const before = byId.get(device.id);
      const isLater = before === undefined || device.lastAt > before.lastAt;
      byId.set(device.id, {
        id: device.id,
        endpoints: [...(before?.endpoints ?? []), endpoint],
        isOurs: before?.isOurs === true || endpoint === 'local' || mine.has(device.id),
        attempts: (before?.attempts ?? 0) + device.attempts,
        firstAt: Math.min(before?.firstAt ?? device.firstAt, device.firstAt),
        lastAt: isLater ? device.lastAt : before.lastAt,
        lastError: isLater ? device.lastError : before.lastError,
      });
    }
  }
  return [...byId.values()];
}

/** Everything that the first page shows. */
export function overview(state: QueryState, { dayStart }: Input<'overview'>, context: QueryContext): Overview {
  const { stores, summaries } = state;
  const owners = privateOwners(stores);
  const known = allDevices(stores);
  const firstHour = Math.floor(dayStart / HOUR_MS);
  const outcomes = stores.names.flatMap((store) =>
    outcomesSince(stores, store, firstHour).map(([cause, count]) => ({ endpoint: ENDPOINTS[store], cause, count })),
  );
  const stored = outcomes.reduce((total, { cause, count }) => (cause === 'stored' ? total + count : total), 0);
  const mine = known.filter(isMine);
  const claimed = known.filter((each) => isClaimed(each, owners));
  const others = known.filter((each) => !isMine(each) && !isClaimed(each, owners));
  const listed = [...mine, ...newestOf(claimed), ...newestOf(others)];
  return {
    now: context.now,
    devices: listed.map((each) => summaries.summary(each, owners, context.now)),
    unlisted: {
      claimed: Math.max(0, claimed.length - MAX_STRANGERS_LISTED),
      others: Math.max(0, others.length - MAX_STRANGERS_LISTED),
    },
    unregistered: knocking(state, new Set(mine.map(({ id }) => id)), context),
    totals: {
      readingsToday: state.today.count(known, stored, firstHour * HOUR_MS),
      rejectedToday: outcomes.filter(({ cause }) => cause !== 'stored'),
      stores: stores.names.map((store) => ({ store, bytes: stores.bytes(store) })),
    },
    demo: context.demo,
    demoDevices: known.map(({ id }) => id).filter((id) => state.demoDevices.has(id)),
  };
}

/** A device with what only its own page shows. */
export function device(state: QueryState, { id }: Input<'device'>, context: QueryContext): Output<'device'> {
  const { stores, summaries } = state;
  const known = state.device(id);
  return {
    ...summaries.summary(known, privateOwners(stores), context.now),
    withheld: known.rows.flatMap(({ store, row }) =>
      withheldOf(stores, store, row.device).map(({ field, ...counts }) => {
        return { ...counts, store, field: field === '' ? null : (field as FieldName) };
      }),
    ),
    readings: known.rows.map(({ store, row }) => ({ store, count: state.hours.countIn(store, row.device) })),
    span: summaries.span(known),
  };
}
