/** The phases of a backup, a check or a restore, in their order. */
export const CARE_PHASES = ['copying', 'writing', 'verifying', 'reading', 'opening', 'placing'] as const;
export type CarePhase = (typeof CARE_PHASES)[number];

/** The progress of a backup, a check or a restore. */
export interface CareProgress {
  readonly phase: CarePhase;
  readonly doneBytes: number;
  /** 0 if it is unknown. */
  readonly totalBytes: number;
}
