import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { deviceId, timeMs } from '../../shared/owner-api/values.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { writeAtomically } from '../common/atomic-write.ts';

export const SEEN_FILE = 'nodes-seen.json';

const seenNode = z.object({
  id: deviceId,
  /** When it was heard last; null: never. */
  heardAt: timeMs.nullable(),
  answers: z.array(z.object({ key: z.string(), at: timeMs, json: z.string(), from: z.number().nullable() })),
});
export type SeenNode = z.infer<typeof seenNode>;
const content = z.object({ version: z.literal(1), nodes: z.array(seenNode) });

/** What was last seen of other nodes, over a restart. It can be had again: a file that can't be read or written is none. */
export class SeenFile {
  readonly #path: string;
  readonly #log: Logger;
  readonly #writes = new SerialQueue();

  constructor(dataDir: string, log: Logger) {
    this.#path = join(dataDir, SEEN_FILE);
    this.#log = log;
  }

  read(): readonly SeenNode[] {
    try {
      return content.parse(JSON.parse(readFileSync(this.#path, 'utf8'))).nodes;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.#log.warn({ reason: code ?? 'damaged' }, 'what was last seen of other nodes is lost');
      return [];
    }
  }

  /** Never rejects. */
  write(nodes: () => readonly SeenNode[]): Promise<void> {
    return this.#writes.run(async () => {
      try {
        await writeAtomically(this.#path, JSON.stringify({ version: 1, nodes: nodes() }));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        this.#log.warn({ code }, 'what was last seen of other nodes can’t be written');
      }
    });
  }
}
