import type { DeviceDetail, StoreDevice } from '../../../../shared/owner-api/devices.ts';
import type { Disposition } from '../../../../shared/protocol/codes.ts';
import {
  FIELD_NAMES,
  type FieldName,
  type PolicyFieldName,
  SENSOR_FIELDS,
} from '../../../../shared/protocol/fields.ts';

/**
 * How a field is sent to a place: in plain, sealed or not at all (`no`). `nothing` means that no reading is sent there.
 */
export type Sent = 'plain' | 'sealed' | 'no' | 'nothing';

const SENT: readonly Sent[] = ['no', 'plain', 'sealed'];
const LOCAL_ONLY = 0;
const PUBLIC_ONLY = 1;

/** A place to which readings are sent, and the form of each field there. */
export interface PolicyPlace {
  /** A store of this node, another node or network named in the policy, or every other server. */
  readonly kind: 'private' | 'public' | 'named' | 'others';
  /** The name of a `named` place: a server's public key in hex, or a network's topic. Hostile input. */
  readonly name: string | null;
  readonly fields: Readonly<Record<FieldName, Sent>>;
}

/** The number of readings in a store in which a field is plain, sealed or missing, and the number of dropped values. */
export interface Arrived {
  readonly plain: number;
  readonly sealed: number;
  /** Values that were dropped because the policy does not allow them. */
  readonly withheld: number;
  /** Readings without a value of the field. */
  readonly missing: number;
}

/** Returns the number of values of a field that arrived in a store, by form, over all its readings. */
export function arrivedOf(
  device: Pick<DeviceDetail, 'held' | 'withheld' | 'readings'>,
  store: StoreDevice['store'],
  field: FieldName,
): Arrived {
  const { plain, sealed } = device.held.find((each) => each.store === store)?.fields[field] ?? { plain: 0, sealed: 0 };
  const total = device.readings.find((each) => each.store === store)?.count ?? 0;
  const withheld = device.withheld.filter((each) => each.store === store && each.field === field);
  return {
    plain,
    sealed,
    withheld: withheld.reduce((sum, { count }) => sum + count, 0),
    missing: Math.max(0, total - plain - sealed),
  };
}

/**
 * Returns the places to which the device's policies send fields. Each store has its own row. The other places come from
 * the first policy, because a device has only one.
 */
export function policyPlaces(device: Pick<DeviceDetail, 'stores'>, nodeKey: string | null): PolicyPlace[] {
  const own = device.stores.map((row): PolicyPlace => ({ kind: row.store, name: null, fields: storeFields(row) }));
  const first = device.stores[0];
  if (first === undefined) return own;
  const names = new Set(
    Object.values(first.privacyPolicy).flatMap((policy) => Object.keys(policy?.per_destination ?? {})),
  );
  if (nodeKey !== null) names.delete(nodeKey);
  const named = [...names].map((name): PolicyPlace => ({ kind: 'named', name, fields: fieldsFor(first, name) }));
  // A device that publishes only to its owner sends nothing to others.
  const others: PolicyPlace[] =
    first.publishTo === LOCAL_ONLY ? [] : [{ kind: 'others', name: null, fields: fieldsFor(first, null) }];
  return [...own, ...named, ...others];
}

/**
 * Returns whether the policy has a rule about a field for this node alone. The owner can add one when adopting a
 * device.
 */
export function hasOwnRule(
  device: Pick<DeviceDetail, 'stores'>,
  store: StoreDevice['store'],
  field: FieldName,
  nodeKey: string | null,
): boolean {
  const policy = device.stores.find((row) => row.store === store)?.privacyPolicy[policyNameOf(field)];
  return nodeKey !== null && ownValue(policy?.per_destination, nodeKey) !== undefined;
}

function storeFields(row: StoreDevice): Record<FieldName, Sent> {
  const keepsNothing = row.publishTo === (row.store === 'private' ? PUBLIC_ONLY : LOCAL_ONLY);
  return perField((name) => (keepsNothing ? 'nothing' : SENT[row.dispositions[name]]!));
}

function fieldsFor(row: StoreDevice, destination: string | null): Record<FieldName, Sent> {
  return perField((name) => {
    const policy = row.privacyPolicy[policyNameOf(name)];
    const chosen = destination === null ? undefined : ownValue(policy?.per_destination, destination);
    // A field without a policy is sent in plain.
    return SENT[chosen ?? policy?.default_disposition ?? 1]!;
  });
}

function policyNameOf(field: FieldName): PolicyFieldName {
  return SENSOR_FIELDS[FIELD_NAMES.indexOf(field)]!.policyName;
}

function ownValue(map: Record<string, Disposition> | undefined, key: string): Disposition | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

function perField<T>(value: (name: FieldName) => T): Record<FieldName, T> {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, value(name)])) as Record<FieldName, T>;
}
