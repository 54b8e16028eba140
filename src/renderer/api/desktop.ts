import type {
  BridgeAnswer,
  DesktopApi,
  DesktopInput,
  DesktopMethod,
  DesktopOutput,
  OsWrap,
  OwnerBridge,
} from '../../shared/desktop-api.ts';
import type { Input, MethodName, Output, OwnerApi } from '../../shared/owner-api/contract.ts';
import { ApiError } from './errors.ts';

declare global {
  interface Window {
    /** The desktop's bridge, set by its preload script. */
    readonly owner?: OwnerBridge;
  }
}

/** The API that the desktop app offers its page. It belongs to the page, not to a node. */
export interface Desktop {
  /** The owner API of the app's own node. Calls about settings and moves work even if no node runs. */
  readonly owner: OwnerApi;
  readonly app: DesktopApi;
  /** The operating system's key storage. */
  readonly osWrap: OsWrap;
}

const bridge = globalThis.window?.owner;

/** The desktop app around this page; null in a browser. */
export const desktop: Desktop | null =
  bridge === undefined ? null : { owner: createIpcApi(bridge), app: createDesktopApi(bridge), osWrap: bridge.osWrap };

/** Returns the owner API over the desktop's bridge. */
function createIpcApi(bridge: OwnerBridge): OwnerApi {
  return {
    call: async <M extends MethodName>(method: M, input: Input<M>) =>
      readValue(await answered(bridge.call(method, input))) as Output<M>,
    listen: (onEvent, onConnection) => bridge.listen(onEvent, onConnection),
  };
}

/** Returns the desktop app's own API. */
function createDesktopApi(bridge: OwnerBridge): DesktopApi {
  return {
    call: async <M extends DesktopMethod>(method: M, input: DesktopInput<M>) =>
      readValue(await answered(bridge.callDesktop(method, input))) as DesktopOutput<M>,
    listen: (onEvent) => bridge.listenDesktop(onEvent),
  };
}

/** Waits for the answer of a call. Throws ApiError `disconnected` if the call is rejected or the main process ends. */
async function answered(answer: Promise<BridgeAnswer>): Promise<BridgeAnswer> {
  try {
    return await answer;
  } catch (error) {
    throw new ApiError('disconnected', error instanceof Error ? error.message : undefined);
  }
}

function readValue(answer: BridgeAnswer): unknown {
  if (!answer.ok) throw new ApiError(answer.error, answer.details);
  return JSON.parse(answer.json);
}
