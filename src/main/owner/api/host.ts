import type { NodeState } from '../../../shared/node-state.ts';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { Move, MoveProblem } from '../../../shared/owner-api/moving.ts';
import type { SettingChange } from '../../../shared/owner-api/settings.ts';
import type { DataChoice } from '../../data-folder/data-choice.ts';
import type { ProgramSettings } from '../../settings/program-settings.ts';
import type { Settings } from '../../settings/settings.ts';

/** The part of a change that concerns the system outside of the node. */
export type OutsideChange = Pick<SettingChange, 'startAtLogin'>;

/** The program around the node: it has the settings and carries out changes of them. */
export interface OwnerHost {
  readonly ownerView: 'browser' | 'desktop';
  readonly settings: ProgramSettings;
  readonly state: NodeState;
  /** Makes the endpoints listen as the settings say, or tries the ports if no node runs. Throws StartError. */
  apply(next: Settings): Promise<void>;
  /** Applies the settings of the system outside of the node, before they are saved. Rejects if the system refuses. */
  applyOutside(change: OutsideChange): Promise<void>;
  /**
   * Called when the file has changed. Notifies everything that shows or uses settings. A node that could not start
   * because of a changed setting tries again.
   */
  saved(change: SettingChange): Promise<void>;
  /** Starts the node again if it failed. */
  retry(): Promise<NodeState>;
  readonly dataChoice: DataChoice;
  readonly move: Move | null;
  startMove(to: string): MoveProblem | null;
  cancelMove(): void;
  diagnostics(): Promise<Output<'diagnostics'>>;
}
