/** The phases of a backup, a check or a restore, in their order. */
export const CARE_PHASES = ['copying', 'writing', 'verifying', 'reading', 'opening', 'placing'] as const;
export type CarePhase = (typeof CARE_PHASES)[number];

/** How far it is. */
export interface CareProgress {
  readonly phase: CarePhase;
  readonly doneBytes: number;
  /** 0 where it is not known. */
  readonly totalBytes: number;
}
