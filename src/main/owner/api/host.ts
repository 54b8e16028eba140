import type { NodeState } from '../../../shared/node-state.ts';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { Move, MoveProblem } from '../../../shared/owner-api/moving.ts';
import type { SettingChange } from '../../../shared/owner-api/settings.ts';
import type { DataChoice } from '../../data-folder/data-choice.ts';
import type { ProgramSettings } from '../../settings/program-settings.ts';
import type { Settings } from '../../settings/settings.ts';

/** The part of a change that concerns the system outside the node. */
export type OutsideChange = Pick<SettingChange, 'startAtLogin'>;

/** The program around the node: what the settings belong to, and what carries a change out. */
export interface OwnerHost {
  readonly ownerView: 'browser' | 'desktop';
  readonly settings: ProgramSettings;
  readonly state: NodeState;
  /** Has the endpoints listen as the settings say, or tries the ports where no node runs. Throws StartError. */
  apply(next: Settings): Promise<void>;
  /** Obeys what concerns the system outside the node, before it is saved. Rejects where the system refuses. */
  applyOutside(change: OutsideChange): Promise<void>;
  /**
   * The file has changed: who shows or obeys settings is told, and a node that could not start with what was changed
   * tries again.
   */
  saved(change: SettingChange): Promise<void>;
  /** Starts the node again where it failed. */
  retry(): Promise<NodeState>;
  readonly dataChoice: DataChoice;
  readonly move: Move | null;
  startMove(to: string): MoveProblem | null;
  cancelMove(): void;
  diagnostics(): Promise<Output<'diagnostics'>>;
}
