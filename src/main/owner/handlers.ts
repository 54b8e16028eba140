import type { z } from 'zod';
import type { ALERT_METHODS } from '../../shared/owner-api/alerts.ts';
import type { AUDIT_METHODS } from '../../shared/owner-api/audit.ts';
import type { BACKUP_METHODS } from '../../shared/owner-api/backups.ts';
import type { CONNECTION_METHODS } from '../../shared/owner-api/connections.ts';
import type { METHODS, MethodName, Output } from '../../shared/owner-api/contract.ts';
import type { DEVICE_PAGE_METHODS } from '../../shared/owner-api/device-pages.ts';
import type { DIAGNOSTICS_METHODS } from '../../shared/owner-api/diagnostics.ts';
import type { DOOR_METHODS } from '../../shared/owner-api/door.ts';
import type { EXPORT_METHODS } from '../../shared/owner-api/exports.ts';
import type { GATE_METHODS } from '../../shared/owner-api/gate.ts';
import type { MOVING_METHODS } from '../../shared/owner-api/moving.ts';
import type { NODES_METHODS } from '../../shared/owner-api/nodes.ts';
import type { SECURITY_METHODS } from '../../shared/owner-api/security.ts';
import type { SETTINGS_METHODS } from '../../shared/owner-api/settings.ts';
import type { WITNESS_METHODS } from '../../shared/owner-api/witnesses.ts';
import type { Caller } from './caller.ts';

/** An input that has passed the schema of its method. */
export type Checked<M extends MethodName> = z.output<(typeof METHODS)[M]['input']>;

/** A value as JSON text in UTF-8. */
export class JsonBytes<T> {
  declare readonly value: T;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Answers one method. Rejects with OwnerError for expected failures. */
export type Handler<M extends MethodName> = (
  input: Checked<M>,
  caller: Caller,
) => Output<M> | JsonBytes<Output<M>> | Promise<Output<M> | JsonBytes<Output<M>>>;

export type Handlers<Names extends MethodName> = { readonly [M in Names]: Handler<M> };

/** Handlers whose answers the node itself also uses. */
export type PlainHandlers<Names extends MethodName> = {
  readonly [M in Names]: (input: Checked<M>) => Output<M> | Promise<Output<M>>;
};

/** The methods that the care of the data answers. */
export type BackupMethod = keyof typeof BACKUP_METHODS;
/** The methods that the program around the node answers, also if no node runs. */
export type HostMethod =
  | BackupMethod
  | keyof typeof SETTINGS_METHODS
  | keyof typeof MOVING_METHODS
  | keyof typeof DIAGNOSTICS_METHODS;
/** The methods about the gate, and about devices on the owner's network. */
export type GateMethod = keyof typeof GATE_METHODS | keyof typeof DEVICE_PAGE_METHODS;
export type DoorMethod = keyof typeof DOOR_METHODS;
/** The methods about other nodes, and those that other nodes call. */
export type NodesMethod = keyof typeof NODES_METHODS;
/** The methods about the audit log and the security of access to the node. */
export type AuditMethod = keyof typeof AUDIT_METHODS | keyof typeof SECURITY_METHODS;
/** The methods about connections to other programs. */
export type ConnectionMethod = keyof typeof CONNECTION_METHODS;
/** The methods of witnesses of logs. */
export type WitnessMethod = keyof typeof WITNESS_METHODS;
export type AlertMethod = keyof typeof ALERT_METHODS;
/** The methods about deleting, compacting and exporting. */
export type CareMethod =
  | 'setRetention'
  | 'careState'
  | 'compactStore'
  | Exclude<keyof typeof EXPORT_METHODS, 'exportSize'>;
/** The methods that the owner API does not answer itself, but other parts of the node or the program around it. */
export type OutsideMethod =
  | HostMethod
  | AlertMethod
  | GateMethod
  | DoorMethod
  | CareMethod
  | NodesMethod
  | AuditMethod
  | WitnessMethod
  | ConnectionMethod;
