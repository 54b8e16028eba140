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
import type { guardedHandler } from '../owner/ipc.ts';
import { VERSION } from '../version.ts';

/** What the page can have done by the desktop. */
export interface DesktopCalls {
  desktopInfo(): Pick<DesktopInfo, 'hasTray' | 'dataDir'>;
  nodeState(): NodeState;
  startNode(): Promise<NodeState>;
  openLink(url: string): Promise<boolean>;
  showDataFolder(): void;
  lastWake(): Wake | null;
  dismissWake(): void;
}

/** Carries the desktop's own calls over IPC, each input checked by the contract. */
export function desktopCalls(handle: ReturnType<typeof guardedHandler>, calls: DesktopCalls): void {
  handle(CHANNELS.desktopCall, async (method, input): Promise<BridgeAnswer> => {
    if (typeof method !== 'string' || !Object.hasOwn(DESKTOP_METHODS, method)) {
      return { ok: false, error: 'unknown_method' };
    }
    const checked = DESKTOP_METHODS[method as DesktopMethod].input.safeParse(input);
    if (!checked.success) return { ok: false, error: 'invalid_input' };
    return { ok: true, json: JSON.stringify(await answer(calls, method as DesktopMethod, checked.data)) };
  });
}

async function answer(
  calls: DesktopCalls,
  method: DesktopMethod,
  input: object,
): Promise<DesktopOutput<DesktopMethod>> {
  switch (method) {
    case 'desktopInfo':
      return { ...calls.desktopInfo(), versions: versions(), platform: process.platform };
    case 'nodeState':
      return calls.nodeState();
    case 'startNode':
      return calls.startNode();
    case 'openLink':
      return { opened: await calls.openLink((input as { url: string }).url) };
    case 'lastWake':
      return { wake: calls.lastWake() };
    case 'dismissWake':
      calls.dismissWake();
      return {};
    default:
      calls.showDataFolder();
      return {};
  }
}

function versions(): DesktopInfo['versions'] {
  const { electron = '', chrome = '', node } = process.versions;
  return { wellhouse: VERSION, electron, chrome, node };
}
