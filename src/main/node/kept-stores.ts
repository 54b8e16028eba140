import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { DamagedFiles, openStateFile } from '../state-files/damaged-files.ts';
import type { StateFileKind } from '../state-files/state-file.ts';
import { engineOf } from '../store/engines.ts';
import { locationsIn, STORE_FILES } from '../store/locations.ts';
import type { NodeFolder } from './node-folder.ts';

const NAMES = ['private', 'public'] as const satisfies readonly StoreName[];
const document = z.object({ version: z.literal(1), stores: z.array(z.enum(NAMES)) });
const KIND: StateFileKind<typeof document> = {
  name: 'stores.json',
  schema: document,
  empty: { version: 1, stores: [] },
};

/** Records in `stores.json` the stores of a data folder, so that a missing one is not mistaken for a first start. */
export class KeptStores {
  readonly #folder: NodeFolder;
  readonly #state: StateFolder;

  constructor(folder: NodeFolder, log: StateFolder['log']) {
    this.#folder = folder;
    this.#state = { path: folder.path, log, now: () => SYSTEM_CLOCK.now() };
  }

  /**
   * Notifies the owner of each store that existed at an earlier start and is missing. Call it before stores are
   * created.
   */
  async tellMissing(): Promise<void> {
    if (this.#folder.identity.created) return;
    const damaged = new DamagedFiles(this.#state);
    for (const name of openStateFile(KIND, this.#state).read()?.stores ?? this.#traced()) {
      const location = this.#folder.locations[name];
      const file = STORE_FILES[name];
      if (!this.#isInFolder(name)) continue;
      if (await engineOf(location).exists(location)) continue;
      this.#state.log.error({ store: location }, 'the store is missing: restore a backup');
      if (damaged.list().some((each) => each.file === file && each.whole === 'missing')) continue;
      damaged.add({ file, at: this.#state.now(), copy: null, whole: 'missing', lost: [] });
    }
  }

  /** Returns whether a store is in the folder and not on a server. */
  #isInFolder(name: StoreName): boolean {
    return this.#folder.locations[name] === locationsIn(this.#folder.path)[name];
  }

  /**
   * Returns the stores that a folder without a list must have had: a node creates its private store before any of these
   * files.
   */
  #traced(): readonly StoreName[] {
    const traces = ['alerts.json', 'ui-token', STORE_FILES.public];
    return traces.some((name) => existsSync(join(this.#folder.path, name))) ? ['private'] : [];
  }

  /** Records the stores that exist now. */
  async remember(): Promise<void> {
    const stores: StoreName[] = [];
    for (const name of NAMES) {
      const location = this.#folder.locations[name];
      if (this.#isInFolder(name) && (await engineOf(location).exists(location))) stores.push(name);
    }
    const file = openStateFile(KIND, this.#state);
    if (file.read()?.stores.join() === stores.join()) return;
    try {
      file.writeSync({ version: 1, stores });
    } catch (error) {
      this.#state.log.warn({ file: KIND.name, err: error }, 'the list of stores could not be written');
    }
  }
}
