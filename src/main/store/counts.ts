import type { FieldName } from '../../shared/protocol/fields.ts';

/** Outcomes and sums are stored by the hour; hours are counted since 1970, UTC. */
export const HOUR_MS = 3_600_000;

/** Why something was accepted but not stored: `publish_to` counts blocks, the others count values of a field. */
export type WithheldCause = 'publish_to' | 'omit' | 'encrypted_only';

/** The number of blocks or values of a device that were withheld for one cause. */
export interface WithheldCount {
  readonly deviceId: string;
  readonly cause: WithheldCause;
  /** null if whole blocks are counted. */
  readonly field: FieldName | null;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The number of blocks with an outcome in an hour: `stored`, or the cause of a refusal. */
export interface OutcomeCount {
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

/** A device that sends blocks without being registered. */
export interface UnregisteredDevice {
  readonly id: string;
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastError: string;
}

/** Counts to add to those of a store. */
export interface Counts {
  readonly withheld: readonly WithheldCount[];
  readonly outcomes: readonly OutcomeCount[];
  /** Replaces the list of the store; null leaves the list unchanged. */
  readonly unregistered: readonly UnregisteredDevice[] | null;
}
