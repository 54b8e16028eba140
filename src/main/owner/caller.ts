import type { AuditActorKind } from '../../shared/owner-api/audit.ts';
import { LOGS, type Right, type Role } from '../../shared/owner-api/method.ts';
import type { Sight } from './sight.ts';

/** Who calls, whatever transport the call came over. */
export interface Caller {
  /** By what it was let in, for the audit log. */
  readonly by: AuditActorKind;
  readonly role: Role;
  /** The devices that it may see; null: all. Of no meaning for an owner. */
  readonly devices: ReadonlySet<string> | null;
  /** Whether it may have the sealed keystore. */
  readonly mayUnlock: boolean;
  /** Whether a viewer may add entries to the log. Of no meaning for an owner, who may. */
  readonly mayLog: boolean;
  /** The pairing of the caller; null if it is at the machine itself. */
  readonly pairing: { readonly id: string; readonly name: string } | null;
  /** Whether it may still call. It is asked when a call is executed, and again before anything is sent to the caller. */
  readonly isValid: () => boolean;
}

/** The owner at the machine itself: what no pairing can take away. */
export const LOCAL_OWNER: Caller = {
  by: 'machine',
  role: 'owner',
  devices: null,
  mayUnlock: true,
  mayLog: true,
  pairing: null,
  isValid: () => true,
};

/** The same, over HTTP: by a page that proved the link's token, or by a program that sent the token itself. */
export const LOCAL_CALLERS: Readonly<Record<'page' | 'command', Caller>> = {
  page: { ...LOCAL_OWNER, by: 'page' },
  command: { ...LOCAL_OWNER, by: 'command' },
};

/** The part of answers and events that a caller may see; null for everything. */
export function sightOf({ role, devices }: Caller): Sight | null {
  return role === 'owner' ? null : { devices };
}

/** Whether a caller may call a method that asks for this. */
export function mayUse({ role, mayUnlock, mayLog }: Caller, asks: Right | undefined): boolean {
  if (asks === undefined) return true;
  return asks === LOGS ? role === 'owner' || mayLog : role === 'owner' && mayUnlock;
}
