import type { CONNECTION_METHODS } from '../../shared/owner-api/connections.ts';
import type { MethodHandlers } from '../../shared/owner-api/method.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { Bridge } from './bridge.ts';
import type { BridgeSecrets } from './secrets-file.ts';

export type BridgeHandlers = MethodHandlers<typeof CONNECTION_METHODS>;

/** Returns the handlers for connections to other programs. */
export function bridgeHandlers(bridge: Bridge): BridgeHandlers {
  return {
    connections: () => bridge.connections,
    setConnectionSecrets: async (secrets) => {
      try {
        await bridge.setSecrets(definedOf(secrets));
      } catch (error) {
        throw error instanceof OwnerError ? error : new OwnerError('storage_unavailable', (error as Error).message);
      }
      return bridge.connections;
    },
    testMqtt: async () => ({ failure: await bridge.testMqtt() }),
  };
}

function definedOf(secrets: { readonly [name: string]: string | null | undefined }): Partial<BridgeSecrets> {
  return Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== undefined));
}
