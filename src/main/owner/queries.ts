import { demoDeviceIds } from '../../shared/demo-keys.ts';
import type { MethodName, Output } from '../../shared/owner-api.ts';
import type { Destination } from '../../shared/protocol/codes.ts';
import { ArrivalHours } from '../store/arrival-hours.ts';
import { MergedHours } from '../store/merged-hours.ts';
import { MergedReadings } from '../store/merged-readings.ts';
import { type KnownDevice, oneDevice } from '../store/owner-devices.ts';
import { type OwnerStorePaths, OwnerStores } from '../store/owner-stores.ts';
import type { UnregisteredDevice } from '../store/write-jobs.ts';
import { OwnerError } from './owner-error.ts';
import { ReadingsToday } from './readings-today.ts';
import { Summaries } from './summaries.ts';

/** What the node knows beyond the stores when it asks a query. */
export interface QueryContext {
  /** The unregistered devices of the endpoints that run; the stores' own lists lag a second behind. */
  readonly unregistered: ReadonlyMap<Destination, readonly UnregisteredDevice[]>;
  /** Devices with new readings since the last query, and when the latest arrived. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Devices of which something was forgotten since the last query. */
  readonly forgotten: readonly string[];
  readonly demo: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What queries work with: the stores, and what is remembered between queries. */
export class QueryState {
  readonly stores: OwnerStores;
  readonly readings: MergedReadings;
  readonly hours: MergedHours;
  readonly arrivals: ArrivalHours;
  readonly summaries: Summaries;
  readonly today: ReadingsToday;
  /** This node's key in lowercase hex: policies may have a rule for it. */
  readonly nodePublicKey: string;
  readonly demoDevices: ReadonlySet<string>;

  constructor(paths: OwnerStorePaths, nodePublicKey: string) {
    this.stores = new OwnerStores(paths);
    this.readings = new MergedReadings(this.stores);
    this.hours = new MergedHours(this.stores, this.readings);
    this.arrivals = new ArrivalHours(this.stores, this.readings);
    this.summaries = new Summaries(this);
    this.today = new ReadingsToday(this.stores);
    this.nodePublicKey = nodePublicKey;
    this.demoDevices = new Set(demoDeviceIds(nodePublicKey));
  }

  /** A device by its id. Throws OwnerError `not_found`. */
  device(id: string): KnownDevice {
    const known = oneDevice(this.stores, id);
    if (known === null) throw new OwnerError('not_found', 'no store knows this device');
    return known;
  }
}

/** The methods that only read the stores. */
export type QueryName = Extract<MethodName, 'overview' | 'device' | 'latestReadings' | 'readingsPage' | 'history'>;
export type QueryOutput = Output<QueryName>;
