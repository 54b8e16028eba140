import type { Logger } from 'pino';
import type { GeneralUnits } from '../../../shared/measures/field-scale.ts';
import { CHOICES } from '../../../shared/owner-data/choices.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import type { StoreLocations } from '../../store/engine.ts';
import { readStores } from '../../store/engines.ts';

/** The owner's units for all devices, as they are now. */
export class OwnerUnits {
  readonly #locations: () => StoreLocations;
  readonly #log: Logger;
  readonly #reads = new SerialQueue();
  #now: GeneralUnits = {};
  #stopListening = () => {};

  constructor(locations: () => StoreLocations, log: Logger) {
    this.#locations = locations;
    this.#log = log;
  }

  get now(): GeneralUnits {
    return this.#now;
  }

  /** Reads them, and again whenever the owner chooses others. */
  async start(events: NodeEvents): Promise<void> {
    this.#stopListening = events.on('chosen', ({ names }) => {
      if (names.includes('units')) void this.#read();
    });
    await this.#read();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#reads.settled();
  }

  #read(): Promise<void> {
    return this.#reads.run(async () => {
      try {
        const kept = await readStores(this.#locations(), async (stores) => (await stores.choices()).get('units'));
        this.#now = CHOICES.units.safeParse(kept ?? {}).data ?? {};
      } catch (error) {
        this.#log.warn({ err: error }, 'messages have the units that devices send: the owner’s can’t be read');
      }
    });
  }
}
