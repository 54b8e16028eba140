import type { z } from 'zod';
import {
  type BridgeAnswer,
  DESKTOP_METHODS,
  type DesktopInfo,
  type DesktopMethod,
  type DesktopOutput,
  type Wake,
} from '../../shared/desktop-api.ts';
import { CHANNELS } from '../../shared/desktop-channels.ts';
import type { NodeState } from '../../shared/node-state.ts';
import { VERSION } from '../common/version.ts';
import type { guardedHandler } from '../owner/transports/ipc.ts';

/** The calls of the page to the desktop app. */
export interface DesktopCalls {
  desktopInfo(): Pick<DesktopInfo, 'hasTray' | 'dataDir'>;
  nodeState(): NodeState;
  startNode(): Promise<NodeState>;
  openLink(url: string): Promise<boolean>;
  showDataFolder(): void;
  lastWake(): Wake | null;
  dismissWake(): void;
}

/** An input that has passed the schema of its method. */
type Checked<M extends DesktopMethod> = z.output<(typeof DESKTOP_METHODS)[M]['input']>;

/** The handler of each method. */
type DesktopHandlers = {
  readonly [M in DesktopMethod]: (input: Checked<M>) => DesktopOutput<M> | Promise<DesktopOutput<M>>;
};

/** The contract, typed so that a method's name selects its schema and its handler. */
const CONTRACT: { readonly [M in DesktopMethod]: { readonly input: z.ZodType<Checked<M>> } } = DESKTOP_METHODS;

/** Handles the desktop's own calls over IPC; the contract checks each input. */
export function desktopCalls(handle: ReturnType<typeof guardedHandler>, calls: DesktopCalls): void {
  const handlers = handlersOf(calls);
  handle(CHANNELS.desktopCall, async (method, input): Promise<BridgeAnswer> => {
    if (!isMethod(method)) return { ok: false, error: 'unknown_method' };
    return answer(handlers, method, input);
  });
}

function isMethod(name: unknown): name is DesktopMethod {
  return typeof name === 'string' && Object.hasOwn(DESKTOP_METHODS, name);
}

async function answer<M extends DesktopMethod>(
  handlers: DesktopHandlers,
  method: M,
  input: unknown,
): Promise<BridgeAnswer> {
  const checked = CONTRACT[method].input.safeParse(input);
  if (!checked.success) return { ok: false, error: 'invalid_input' };
  return { ok: true, json: JSON.stringify(await handlers[method](checked.data)) };
}

function handlersOf(calls: DesktopCalls): DesktopHandlers {
  return {
    desktopInfo: () => ({ ...calls.desktopInfo(), versions: versions(), platform: process.platform }),
    nodeState: () => calls.nodeState(),
    startNode: () => calls.startNode(),
    openLink: async ({ url }) => ({ opened: await calls.openLink(url) }),
    showDataFolder: () => {
      calls.showDataFolder();
      return {};
    },
    lastWake: () => ({ wake: calls.lastWake() }),
    dismissWake: () => {
      calls.dismissWake();
      return {};
    },
  };
}

function versions(): DesktopInfo['versions'] {
  const { electron = '', chrome = '', node } = process.versions;
  return { wellhouse: VERSION, electron, chrome, node };
}
