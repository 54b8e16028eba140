import type { Input, Output, Overview } from '../../shared/owner-api.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import { allDevices, outcomesSince, privateOwners, unregisteredOf, withheldOf } from '../store/owner-devices.ts';
import type { StoreName } from '../store/owner-stores.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import type { QueryContext, QueryState } from './queries.ts';

const ENDPOINTS = { private: 'local', public: 'public' } as const satisfies Record<StoreName, string>;

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
  return {
    now: context.now,
    devices: known.map((each) => summaries.summary(each, owners, context.now)),
    unregistered: stores.names.flatMap((store) => {
      const endpoint = ENDPOINTS[store];
      const list = context.unregistered.get(endpoint) ?? unregisteredOf(stores, store);
      return list.map((device) => ({ ...device, endpoint }));
    }),
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
