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
  const devices = allDevices(stores).map((known) => summaries.summary(known, owners, context.now));
  const outcomes = stores.names.flatMap((store) =>
    outcomesSince(stores, store, Math.floor(dayStart / HOUR_MS)).map(([cause, count]) => {
      return { endpoint: ENDPOINTS[store], cause, count };
    }),
  );
  return {
    now: context.now,
    devices,
    unregistered: stores.names.flatMap((store) => {
      const endpoint = ENDPOINTS[store];
      const list = context.unregistered.get(endpoint) ?? unregisteredOf(stores, store);
      return list.map((device) => ({ ...device, endpoint }));
    }),
    totals: {
      readingsToday: outcomes.reduce((total, { cause, count }) => (cause === 'stored' ? total + count : total), 0),
      rejectedToday: outcomes.filter(({ cause }) => cause !== 'stored'),
      stores: stores.names.map((store) => ({ store, bytes: stores.bytes(store) })),
    },
    demo: context.demo,
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
