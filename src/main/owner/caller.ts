import type { AuditActorKind } from '../../shared/owner-api/audit-kinds.ts';
import { LOGS, type Right, type Role } from '../../shared/owner-api/method.ts';
import type { Sight } from './sight.ts';

/** The sender of a call, independent of the transport. */
export interface Caller {
  /** How the caller was authenticated, for the audit log. */
  readonly by: AuditActorKind;
  readonly role: Role;
  /** The devices that it may see; null for all. Not used for an owner. */
  readonly devices: ReadonlySet<string> | null;
  /** Whether it may read the sealed keystore. */
  readonly mayUnlock: boolean;
  /** Whether a viewer may add entries to the log. Not used for an owner, who always may. */
  readonly mayLog: boolean;
  /** The pairing of the caller; null if it is at the machine itself. */
  readonly pairing: { readonly id: string; readonly name: string } | null;
  /**
   * Returns whether the caller may still call. Checked before a call is executed and again before anything is sent to
   * it.
   */
  readonly isValid: () => boolean;
}

/** The owner at the machine itself, whose rights no pairing can remove. */
export const LOCAL_OWNER: Caller = {
  by: 'machine',
  role: 'owner',
  devices: null,
  mayUnlock: true,
  mayLog: true,
  pairing: null,
  isValid: () => true,
};

/** The owner over HTTP: a page that proved the link's token, or a program that sent the token itself. */
export const LOCAL_CALLERS: Readonly<Record<'page' | 'command', Caller>> = {
  page: { ...LOCAL_OWNER, by: 'page' },
  command: { ...LOCAL_OWNER, by: 'command' },
};

/** Returns the restriction of answers and events for a caller; null if it sees everything. */
export function sightOf({ role, devices }: Caller): Sight | null {
  return role === 'owner' ? null : { devices };
}

/** Returns whether a caller may call a method that requires a right. */
export function mayUse({ role, mayUnlock, mayLog }: Caller, asks: Right | undefined): boolean {
  if (asks === undefined) return true;
  return asks === LOGS ? role === 'owner' || mayLog : role === 'owner' && mayUnlock;
}
