import type {
  BridgeAnswer,
  DesktopApi,
  DesktopInput,
  DesktopMethod,
  DesktopOutput,
  OwnerBridge,
} from '../../shared/desktop-api.ts';
import type { Input, MethodName, Output, OwnerApi } from '../../shared/owner-api/contract.ts';
import { ApiError } from './errors.ts';

/** The owner API over the desktop's bridge. */
export function createIpcApi(bridge: OwnerBridge): OwnerApi {
  return {
    call: async <M extends MethodName>(method: M, input: Input<M>) =>
      readValue(await answered(bridge.call(method, input))) as Output<M>,
    listen: (onEvent, onConnection) => bridge.listen(onEvent, onConnection),
  };
}

/** What else the desktop app offers its page. */
export function createDesktopApi(bridge: OwnerBridge): DesktopApi {
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
