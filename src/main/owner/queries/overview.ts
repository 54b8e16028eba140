import { namesakes } from '../../../shared/display-text.ts';
import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { Overview, UnregisteredDevice } from '../../../shared/owner-api/overview.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { KnownDevice } from '../../store/stores-view.ts';
import { isClaimed, isMine } from '../../store/whose.ts';
import { outcomesSince, withheldOf } from './counts.ts';
import { knownDevice, type QueryScope } from './queries.ts';

/**
 * Strangers may register thousands of devices at the public endpoint. This bound keeps the list as quick as without
 * them.
 */
const MAX_STRANGERS_LISTED = 50;
/** A device that knocked longer ago than this is handled, or is gone. */
const KNOCKING_FOR_MS = 24 * HOUR_MS;

/** The most listed moves of a device's times. */
const MOVES_SHOWN = 5;

/** Returns the devices that registered last. */
function newestOf(known: readonly KnownDevice[]): KnownDevice[] {
  const registeredAt = ({ entries }: KnownDevice) => entries[0]!.device.createdAt;
  return known.toSorted((a, b) => registeredAt(b) - registeredAt(a)).slice(0, MAX_STRANGERS_LISTED);
}

/** Returns each unregistered device once, with the stores that it tried. */
async function knocking({ stores, context }: QueryScope, mine: ReadonlySet<string>): Promise<UnregisteredDevice[]> {
  const byId = new Map<string, UnregisteredDevice>();
  for (const store of stores.names) {
    for (const device of context.unregistered.get(store) ?? (await stores.unregistered(store))) {
      if (device.lastAt < context.now - KNOCKING_FOR_MS) continue;
      const before = byId.get(device.id);
      const isLater = before === undefined || device.lastAt > before.lastAt;
      byId.set(device.id, {
        id: device.id,
        stores: [...(before?.stores ?? []), store],
        isOurs: before?.isOurs === true || store === 'private' || mine.has(device.id),
        attempts: (before?.attempts ?? 0) + device.attempts,
        firstAt: Math.min(before?.firstAt ?? device.firstAt, device.firstAt),
        lastAt: isLater ? device.lastAt : before.lastAt,
        lastError: isLater ? device.lastError : before.lastError,
      });
    }
  }
  return [...byId.values()];
}

/** Returns everything that the first page shows. */
export async function overview(scope: QueryScope, { dayStart }: Input<'overview'>): Promise<Overview> {
  const { stores, memory, context } = scope;
  const owners = await stores.privateOwners();
  const all = await stores.devices();
  const known = all.filter(({ notes }) => !notes.isHidden);
  const firstHour = Math.floor(dayStart / HOUR_MS);
  const outcomes = await outcomesOfStores(scope, firstHour);
  const stored = outcomes.reduce((total, { cause, count }) => (cause === 'stored' ? total + count : total), 0);
  const mine = known.filter(isMine);
  const claimed = known.filter((each) => isClaimed(each, owners));
  const others = known.filter((each) => !isMine(each) && !isClaimed(each, owners));
  const listed = [...mine, ...newestOf(claimed), ...newestOf(others)];
  const same = namesakesOf(listed);
  const summariesOf = async (some: readonly KnownDevice[]) => {
    const summaries: DeviceSummary[] = [];
    for (const each of some) {
      const summary = await memory.summaries.summary(stores, each, owners, context);
      summaries.push({ ...summary, hasNamesake: same.has(each.id) });
    }
    return summaries;
  };
  const devices = await summariesOf(listed);
  const hidden = all.filter(({ notes }) => notes.isHidden);
  const hiddenIds = new Set(hidden.map(({ id }) => id));
  const knocks = await knocking(scope, new Set(mine.map(({ id }) => id)));
  memory.toPrepare = devices.filter(({ mine, clockNotSet }) => mine && clockNotSet).map(({ id }) => id);
  return {
    now: context.now,
    devices,
    hidden: await summariesOf(hidden),
    unlisted: {
      claimed: Math.max(0, claimed.length - MAX_STRANGERS_LISTED),
      others: Math.max(0, others.length - MAX_STRANGERS_LISTED),
    },
    unregistered: knocks.filter(({ id }) => !hiddenIds.has(id)),
    totals: {
      readingsToday: await memory.today.count(stores, all, stored, firstHour * HOUR_MS),
      rejectedToday: outcomes.filter(({ cause }) => cause !== 'stored'),
      stores: await Promise.all(stores.names.map(async (store) => ({ store, bytes: await stores.bytes(store) }))),
    },
    demo: context.demo,
    demoDevices: all.map(({ id }) => id).filter((id) => memory.demoDevices.has(id)),
  };
}

function namesakesOf(known: readonly KnownDevice[]): ReadonlySet<string> {
  return namesakes(known.map(({ id, entries, notes }) => ({ id, notes, name: entries[0]!.device.name })));
}

/** Returns the blocks by store and outcome since an hour. */
async function outcomesOfStores(scope: QueryScope, hour: number): Promise<Overview['totals']['rejectedToday']> {
  const found: Overview['totals']['rejectedToday'] = [];
  for (const store of scope.stores.names) {
    const outcomes = await outcomesSince(scope, store, hour);
    found.push(...outcomes.map(({ outcome, count }) => ({ store, cause: outcome, count })));
  }
  return found;
}

/** Returns a device with the details that only its own page shows. */
export async function device(scope: QueryScope, { id }: Input<'device'>): Promise<Output<'device'>> {
  const { stores, memory, context } = scope;
  const known = await knownDevice(stores, id);
  const summary = await memory.summaries.summary(stores, known, await stores.privateOwners(), context);
  const held = await stores.heldCounts(id);
  if (summary.clockNotSet) memory.toPrepare = [id, ...memory.toPrepare.filter((other) => other !== id)];
  const listed = (await stores.devices()).filter((each) => each.id === id || (isMine(each) && !each.notes.isHidden));
  return {
    ...summary,
    hasNamesake: namesakesOf(listed).has(id),
    withheld: await withheldOf(scope, id),
    readings: held.map(({ store, count }) => ({ store, count })),
    held: held.map(({ store, fields }) => ({ store, fields })),
    span: await memory.summaries.span(stores, known),
    timesMoved: [...(await stores.movedArrivals(id, MOVES_SHOWN))],
  };
}
