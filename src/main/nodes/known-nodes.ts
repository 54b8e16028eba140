import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ROLES } from '../../shared/owner-api/method.ts';
import { deviceId, timeMs } from '../../shared/owner-api/values.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { writeAtomically } from '../common/atomic-write.ts';

export const NODES_FILE = 'nodes.json';

const knownNode = z.object({
  /** Its public key. */
  id: deviceId,
  name: z.string(),
  url: z.string(),
  fingerprint: z.string(),
  certificate: z.string(),
  /** What opens its door; it never leaves this process but to that door. */
  token: z.string(),
  role: z.enum(ROLES),
  addedAt: timeMs,
});
export type KnownNode = z.infer<typeof knownNode>;
const content = z.object({ version: z.literal(1), nodes: z.array(knownNode) });

/** The other nodes, with what opens them: a file for its owner alone, that nothing reads which is shown or saved for others. */
export class KnownNodes {
  readonly #path: string;
  readonly #writes = new SerialQueue();
  #nodes: readonly KnownNode[];

  private constructor(path: string, nodes: readonly KnownNode[]) {
    this.#path = path;
    this.#nodes = nodes;
  }

  /** Reads the file, which need not exist; one that can't be read is kept under another name. */
  static open(dataDir: string, log: Logger): KnownNodes {
    const path = join(dataDir, NODES_FILE);
    try {
      return new KnownNodes(path, content.parse(JSON.parse(readFileSync(path, 'utf8'))).nodes);
    } catch (error) {
      // Not the error itself: one of JSON quotes what it read.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') putAside(path, code ?? 'damaged', log);
      return new KnownNodes(path, []);
    }
  }

  get all(): readonly KnownNode[] {
    return this.#nodes;
  }

  /** Replaces the list. Rejects as the file system does, with nothing changed. */
  change(make: (nodes: readonly KnownNode[]) => readonly KnownNode[]): Promise<void> {
    return this.#writes.run(async () => {
      const next = make(this.#nodes);
      await writeAtomically(this.#path, `${JSON.stringify({ version: 1, nodes: next }, null, 2)}\n`);
      this.#nodes = next;
    });
  }

  async settled(): Promise<void> {
    await this.#writes.settled();
  }
}

function putAside(path: string, reason: string, log: Logger): void {
  const aside = `${path}.broken-${new Date().toISOString().replace(/[-:]/g, '')}`;
  const told = 'the list of other nodes can’t be read: add them again';
  try {
    renameSync(path, aside);
    log.error({ reason, aside }, told);
  } catch (error) {
    log.error({ reason, path, code: (error as NodeJS.ErrnoException).code }, told);
  }
}
