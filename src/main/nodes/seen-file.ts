import { z } from 'zod';
import { deviceId, timeMs } from '../../shared/owner-data/values.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';

const seenNode = z.object({
  id: deviceId,
  /** The time of the last contact; null if there was none. */
  heardAt: timeMs.nullable(),
  answers: z.array(z.object({ key: z.string(), at: timeMs, json: z.string(), from: z.number().nullable() })),
});
export type SeenNode = z.infer<typeof seenNode>;
const content = z.object({ version: z.literal(1), nodes: z.array(seenNode) });

export const SEEN_FILE: StateFileKind<typeof content> = {
  ...{ name: 'nodes-seen.json', schema: content, empty: { version: 1, nodes: [] } },
};

/**
 * Stores the last answers of other nodes for a restart. They can be fetched again, so a failed write is not an error.
 */
export class SeenFile {
  readonly #file: StateFile<typeof content>;
  readonly #log: StateFolder['log'];

  constructor(folder: StateFolder) {
    this.#file = openStateFile(SEEN_FILE, folder);
    this.#log = folder.log;
  }

  /** Reads the file. Throws StartError if it may not be read. */
  read(): readonly SeenNode[] {
    return this.#file.read()?.nodes ?? [];
  }

  /** Writes the file. Never rejects. */
  async write(nodes: () => readonly SeenNode[]): Promise<void> {
    try {
      await this.#file.write(() => ({ version: 1, nodes: [...nodes()] }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#log.warn({ code }, 'the last answers of other nodes could not be written');
    }
  }
}
