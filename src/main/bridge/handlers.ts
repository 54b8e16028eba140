import type { z } from 'zod';
import type { CONNECTION_METHODS } from '../../shared/owner-api/connections.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { Bridge } from './bridge.ts';
import type { BridgeSecrets } from './secrets-file.ts';

type Methods = typeof CONNECTION_METHODS;

/** Answers each method of the contract. Rejects with OwnerError where the failure is an expected one. */
export type BridgeHandlers = {
  readonly [M in keyof Methods]: (
    input: z.output<Methods[M]['input']>,
  ) => z.output<Methods[M]['output']> | Promise<z.output<Methods[M]['output']>>;
};

/** The owner's calls about other programs. */
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
