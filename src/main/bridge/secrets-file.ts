import { z } from 'zod';
import { bearerToken, password } from '../../shared/settings/kinds.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';

const secrets = {
  mqttPassword: password.schema.nullable().default(null),
  metricsToken: bearerToken.schema.nullable().default(null),
};
/** `mqttPasswordFor`: the broker and the user that the password is for. */
const content = z.object({ version: z.literal(1), ...secrets, mqttPasswordFor: z.string().nullable().default(null) });

export const BRIDGE_SECRETS_FILE: StateFileKind<typeof content> = {
  name: 'bridge-secrets.json',
  schema: content,
  empty: { version: 1, mqttPassword: null, mqttPasswordFor: null, metricsToken: null },
  // A removed secret must not come back from a copy.
  copy: 'same',
};

/** The secrets of the bridge; null if not set. */
export type BridgeSecrets = { readonly [Name in keyof typeof secrets]: string | null };

/** The secrets from the page, in a separate file that nothing displays or exports. */
export class BridgeSecretsFile {
  readonly #file: StateFile<typeof content>;
  #now: Omit<z.infer<typeof content>, 'version'>;

  /** Reads the file, which may be missing. Throws StartError if it may not be read. */
  constructor(folder: StateFolder) {
    this.#file = openStateFile(BRIDGE_SECRETS_FILE, folder);
    const { version: _, ...kept } = this.#file.read() ?? content.parse(BRIDGE_SECRETS_FILE.empty);
    this.#now = kept;
  }

  /** Returns the secrets. A password is only used for the broker and the user that it was entered for. */
  at(broker: string | null): BridgeSecrets {
    const { mqttPassword, mqttPasswordFor, metricsToken } = this.#now;
    return { mqttPassword: broker !== null && broker === mqttPasswordFor ? mqttPassword : null, metricsToken };
  }

  /** Replaces secrets, or removes them (null). Rejects without a change if they can't be written. */
  async set(change: Partial<BridgeSecrets>, broker: string | null): Promise<void> {
    const isPassword = change.mqttPassword !== undefined;
    const next = { ...this.#now, ...change, ...(isPassword && { mqttPasswordFor: change.mqttPassword && broker }) };
    await this.#file.write(() => ({ version: 1, ...next }));
    this.#now = next;
  }
}
