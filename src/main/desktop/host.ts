import type { NodeState } from '../../shared/node-state.ts';
import type { Answer, MethodName } from '../../shared/owner-api/contract.ts';
import type { OwnerSide } from '../owner/transports/ipc.ts';
import type { ProgramSettings } from '../settings/program-settings.ts';

/** The node as the shell sees it: a part that can fail to start, and start again, while the app lives. */
export interface Host extends OwnerSide {
  readonly state: NodeState;
  readonly settings: Pick<ProgramSettings, 'env' | 'now' | 'onChange'>;
  onState(listener: (state: NodeState) => void): () => void;
  call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M> | { readonly ok: false }>;
  /** Starts the node again where it failed. */
  retry(): Promise<NodeState>;
  stop(): Promise<void>;
}
