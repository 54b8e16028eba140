import type { NodeState } from '../../shared/node-state.ts';
import type { Answer, MethodName } from '../../shared/owner-api/contract.ts';
import type { OwnerSide } from '../owner/transports/ipc.ts';
import type { ProgramSettings } from '../settings/program-settings.ts';

/** The node from the view of the shell. It can fail to start, and start again, while the app runs. */
export interface Host extends OwnerSide {
  readonly state: NodeState;
  readonly settings: Pick<ProgramSettings, 'env' | 'now' | 'onChange'>;
  onState(listener: (state: NodeState) => void): () => void;
  call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M> | { readonly ok: false }>;
  /** Starts the node again after a failure. */
  retry(): Promise<NodeState>;
  stop(): Promise<void>;
}
