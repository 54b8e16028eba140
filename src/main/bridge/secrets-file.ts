import { z } from 'zod';
import { bearerToken, password } from '../../shared/settings/kinds.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';

const secrets = {
  mqttPassword: password.schema.nullable().default(null),
  metricsToken: bearerToken.schema.nullable().default(null),
};
const content = z.object({ version: z.literal(1), ...secrets });

export const BRIDGE_SECRETS_FILE: StateFileKind<typeof content> = {
  name: 'bridge-secrets.json',
  schema: content,
  empty: { version: 1, mqttPassword: null, metricsToken: null },
  // What was removed must not come back.
  copy: 'same',
};

/** The secrets of the bridge; null: not set. */
export type BridgeSecrets = { readonly [Name in keyof typeof secrets]: string | null };

/** The secrets that were typed on the page, in a file of their own: nothing that is shown or exported reads it. */
export class BridgeSecretsFile {
  readonly #file: StateFile<typeof content>;
  #now: BridgeSecrets;

  /** Reads the file, which need not exist. Throws StartError where it may not be read. */
  constructor(folder: StateFolder) {
    this.#file = openStateFile(BRIDGE_SECRETS_FILE, folder);
    const { mqttPassword = null, metricsToken = null } = this.#file.read() ?? {};
    this.#now = { mqttPassword, metricsToken };
  }

  get now(): BridgeSecrets {
    return this.#now;
  }

  /** Replaces some, or removes them (null). Rejects, with nothing changed, where they can't be written. */
  async set(change: Partial<BridgeSecrets>): Promise<void> {
    const next = { ...this.#now, ...change };
    await this.#file.write(() => ({ version: 1, ...next }));
    this.#now = next;
  }
}
