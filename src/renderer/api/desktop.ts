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
    /** The desktop's bridge, put there by its preload. */
    readonly owner?: OwnerBridge;
  }
}

/** The API that the desktop app gives its page. It belongs to the page, whichever node the page shows. */
export interface Desktop {
  /** The owner API of the app's own node; settings and moves are answered also while no node runs. */
  readonly owner: OwnerApi;
  readonly app: DesktopApi;
  /** The operating system's key storage. */
  readonly osWrap: OsWrap;
}

const bridge = globalThis.window?.owner;

/** The desktop app around this page; null in a browser. */
export const desktop: Desktop | null =
  bridge === undefined ? null : { owner: createIpcApi(bridge), app: createDesktopApi(bridge), osWrap: bridge.osWrap };

/** The owner API over the desktop's bridge. */
function createIpcApi(bridge: OwnerBridge): OwnerApi {
  return {
    call: async <M extends MethodName>(method: M, input: Input<M>) =>
      readValue(await answered(bridge.call(method, input))) as Output<M>,
    listen: (onEvent, onConnection) => bridge.listen(onEvent, onConnection),
  };
}

/** The other functions that the desktop app offers its page. */
function createDesktopApi(bridge: OwnerBridge): DesktopApi {
  return {
    call: async <M extends DesktopMethod>(method: M, input: DesktopInput<M>) =>
      readValue(await answered(bridge.callDesktop(method, input))) as DesktopOutput<M>,
    listen: (onEvent) => bridge.listenDesktop(onEvent),
  };
}

/** A call that is refused outright, or that ends with the main process. */
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
