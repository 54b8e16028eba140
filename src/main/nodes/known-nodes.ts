import { z } from 'zod';
import { ROLES } from '../../shared/owner-api/method.ts';
import { deviceId, timeMs } from '../../shared/owner-data/values.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';

const knownNode = z.object({
  /** The node's public key. */
  id: deviceId,
  name: z.string(),
  url: z.string(),
  fingerprint: z.string(),
  certificate: z.string(),
  /** The token that opens its door; it leaves this process only to that door. */
  token: z.string(),
  role: z.enum(ROLES),
  addedAt: timeMs,
});
export type KnownNode = z.infer<typeof knownNode>;
const content = z.object({ version: z.literal(1), nodes: z.array(knownNode) });

export const NODES_FILE: StateFileKind<typeof content> = {
  ...{ name: 'nodes.json', schema: content, empty: { version: 1, nodes: [] } },
  // A removed token must not come back from a copy.
  copy: 'same',
};

/** The other nodes, with their tokens, in a file only for its owner. Nothing that is displayed or exported reads it. */
export class KnownNodes {
  readonly #file: StateFile<typeof content>;
  readonly #changes = new SerialQueue();
  #nodes: readonly KnownNode[];

  /** Reads the file, which may be missing. Throws StartError if it may not be read. */
  constructor(folder: StateFolder) {
    this.#file = openStateFile(NODES_FILE, folder);
    this.#nodes = this.#file.read()?.nodes ?? [];
  }

  get all(): readonly KnownNode[] {
    return this.#nodes;
  }

  /** Replaces the list. Rejects with errors of the file system, without a change. */
  change(make: (nodes: readonly KnownNode[]) => readonly KnownNode[]): Promise<void> {
    return this.#changes.run(async () => {
      const next = make(this.#nodes);
      await this.#file.write(() => ({ version: 1, nodes: [...next] }));
      this.#nodes = next;
    });
  }

  async settled(): Promise<void> {
    await this.#changes.settled();
  }
}
