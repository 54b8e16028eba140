import { z } from 'zod';
import { deviceId, timeMs } from '../../shared/owner-data/values.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';

const seenNode = z.object({
  id: deviceId,
  /** When it was heard last; null: never. */
  heardAt: timeMs.nullable(),
  answers: z.array(z.object({ key: z.string(), at: timeMs, json: z.string(), from: z.number().nullable() })),
});
export type SeenNode = z.infer<typeof seenNode>;
const content = z.object({ version: z.literal(1), nodes: z.array(seenNode) });

export const SEEN_FILE: StateFileKind<typeof content> = {
  ...{ name: 'nodes-seen.json', schema: content, empty: { version: 1, nodes: [] } },
};

/**
 * The last seen state of other nodes, over a restart. It can be fetched again, so a file that can't be written is no
 * fault.
 */
export class SeenFile {
  readonly #file: StateFile<typeof content>;
  readonly #log: StateFolder['log'];

  constructor(folder: StateFolder) {
    this.#file = openStateFile(SEEN_FILE, folder);
    this.#log = folder.log;
  }

  /** Throws StartError where the file may not be read. */
  read(): readonly SeenNode[] {
    return this.#file.read()?.nodes ?? [];
  }

  /** Never rejects. */
  async write(nodes: () => readonly SeenNode[]): Promise<void> {
    try {
      await this.#file.write(() => ({ version: 1, nodes: [...nodes()] }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#log.warn({ code }, 'the last answers of other nodes could not be written');
    }
  }
}
