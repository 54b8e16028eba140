import type { NodeState } from '../../shared/node-state.ts';
import type { Answer, MethodName } from '../../shared/owner-api.ts';
import type { OwnerSide } from '../owner/ipc.ts';
import type { Environment } from '../settings.ts';
import type { Language } from './texts/texts.ts';

/** The settings that the shell obeys. */
export interface ShellSettings {
  readonly publicEnabled: boolean;
  readonly publicPort: number;
  readonly dataDir: string;
  /** null: as the system has it. */
  readonly language: Language | null;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly startAtLogin: boolean;
  readonly closeBehaviour: 'ask' | 'tray' | 'quit';
}

/** The node as the shell sees it: a part that can fail to start, and start anew, while the app lives. */
export interface Host extends OwnerSide {
  readonly state: NodeState;
  readonly settings: ShellSettings;
  /** Its variables win over what the owner chooses. */
  readonly env: Environment;
  onState(listener: (state: NodeState) => void): () => void;
  onSettings(listener: (settings: ShellSettings) => void): () => void;
  call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M> | { readonly ok: false }>;
  /** Starts the node anew where it failed. */
  retry(): Promise<NodeState>;
  stop(): Promise<void>;
}
