import type { z } from 'zod';
import { ALERT_METHODS } from './alerts.ts';
import { AUDIT_METHODS } from './audit.ts';
import { BACKUP_METHODS } from './backups.ts';
import { CHOICE_METHODS } from './choices.ts';
import { CONNECTION_METHODS } from './connections.ts';
import { CYCLE_METHODS } from './cycles.ts';
import { DAMAGED_FILE_METHODS } from './damaged-files.ts';
import { DEMO_METHODS } from './demo.ts';
import { DEVICE_PAGE_METHODS } from './device-pages.ts';
import { DEVICE_METHODS } from './devices.ts';
import { DIAGNOSTICS_METHODS } from './diagnostics.ts';
import { DOOR_METHODS } from './door.ts';
import type { EventName, EventPayload } from './events.ts';
import { EXPORT_METHODS } from './exports.ts';
import { GATE_METHODS } from './gate.ts';
import { JOURNAL_METHODS } from './journal.ts';
import { KEYSTORE_METHODS } from './keystore.ts';
import type { Methods } from './method.ts';
import { MOVING_METHODS } from './moving.ts';
import { NODE_METHODS } from './node.ts';
import { NODES_METHODS } from './nodes.ts';
import { OVERVIEW_METHODS } from './overview.ts';
import { PHOTO_METHODS } from './photos.ts';
import { READING_METHODS } from './readings.ts';
import { SECURITY_METHODS } from './security.ts';
import { SETTINGS_METHODS } from './settings.ts';
import { SPACE_METHODS } from './space.ts';
import { STORAGE_METHODS } from './storage.ts';
import { TASK_METHODS } from './tasks.ts';
import { WITNESS_METHODS } from './witnesses.ts';

/**
 * The one contract between the owner's view and the node. Both transports (HTTP on the local listener, IPC on the
 * desktop), the handlers behind them and the renderer's client derive from it. Each subject has a file in this folder with
 * the input, output and role of its methods.
 */
export const METHODS = {
  ...NODE_METHODS,
  ...OVERVIEW_METHODS,
  ...STORAGE_METHODS,
  ...SPACE_METHODS,
  ...DEVICE_METHODS,
  ...READING_METHODS,
  ...CHOICE_METHODS,
  ...JOURNAL_METHODS,
  ...PHOTO_METHODS,
  ...TASK_METHODS,
  ...CYCLE_METHODS,
  ...KEYSTORE_METHODS,
  ...DAMAGED_FILE_METHODS,
  ...DEMO_METHODS,
  ...ALERT_METHODS,
  ...SETTINGS_METHODS,
  ...GATE_METHODS,
  ...CONNECTION_METHODS,
  ...NODES_METHODS,
  ...DEVICE_PAGE_METHODS,
  ...DOOR_METHODS,
  ...MOVING_METHODS,
  ...BACKUP_METHODS,
  ...EXPORT_METHODS,
  ...DIAGNOSTICS_METHODS,
  ...AUDIT_METHODS,
  ...SECURITY_METHODS,
  ...WITNESS_METHODS,
} as const satisfies Methods;

export type MethodName = keyof typeof METHODS;
export type Input<M extends MethodName> = z.input<(typeof METHODS)[M]['input']>;
export type Output<M extends MethodName> = z.output<(typeof METHODS)[M]['output']>;

/** The errors of a failed call. The renderer has the texts for people. */
export const ERROR_CODES = [
  'invalid_input',
  /** The call has no token, or one that the node does not know. */
  'unauthorized',
  /** The caller's role may not call the method. */
  'forbidden',
  'unknown_method',
  'not_found',
  'conflict',
  /** The caller has reached its limit for now. */
  'too_many',
  'storage_unavailable',
  'internal_error',
] as const;
export type OwnerErrorCode = (typeof ERROR_CODES)[number];

/** An answer on the wire. */
export type Answer<M extends MethodName> =
  | { readonly ok: true; readonly value: Output<M> }
  | { readonly ok: false; readonly error: OwnerErrorCode; readonly details?: string };

/** The functions that a transport gives the renderer. */
export interface OwnerApi {
  /** Rejects with an Error whose `code` is an OwnerErrorCode, or 'disconnected'. */
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>;
  /** Subscribes to events. `onConnection` is called when the connection is lost or restored. Returns an unsubscribe function. */
  listen(
    onEvent: <E extends EventName>(event: E, payload: EventPayload<E>) => void,
    onConnection: (connected: boolean) => void,
  ): () => void;
}
