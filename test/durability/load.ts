import { type BlockInput, SimulatedDevice } from '../../src/simulator/device.ts';
import { type PostResponse, WireClient } from '../../src/simulator/wire-client.ts';
import { contentOf, type Ledger } from './ledger.ts';
import type { SeededRandom } from './random.ts';

/** A device with what it must remember: its next seq, and the block that it sends until it is confirmed. */
interface LoadedDevice {
  readonly device: SimulatedDevice;
  nextSeq: number;
  unconfirmed: BlockInput | null;
}

/** How many of each kind of client work on an endpoint at the same time. */
export interface LoadShape {
  readonly singles: number;
  readonly batchers: number;
  readonly registrars: number;
}

/** A block whose content follows from its seq. */
export function blockOf(device: SimulatedDevice, seq: number): BlockInput {
  const { timestamp, waterLevel, ph } = contentOf(seq);
  return device.block({ seq, timestamp, plain: { waterLevel, ph } });
}

/**
 * Clients of one endpoint that behave as devices do: they register before they post, send a block again until it is
 * confirmed, and log every confirmation in the ledger. They and their devices outlive the node.
 */
export class Load {
  readonly ledger: Ledger;
  /** Set before the node is killed: from then on a request without an answer is no surprise. */
  ending = false;
  /** The events that a healthy node never has. */
  readonly surprises: string[] = [];
  readonly #random: SeededRandom;
  readonly #shape: LoadShape;
  readonly #devices: LoadedDevice[] = [];
  #client: WireClient | null = null;

  constructor(ledger: Ledger, random: SeededRandom, shape: LoadShape) {
    this.ledger = ledger;
    this.#random = random;
    this.#shape = shape;
  }

  /** Works on a node until it stops answering. */
  async run(url: string): Promise<void> {
    this.ending = false;
    this.#client = new WireClient(url);
    const { singles, batchers, registrars } = this.#shape;
    while (this.#devices.length < singles + batchers * 2) {
      this.#devices.push({ device: new SimulatedDevice(), nextSeq: 1, unconfirmed: null });
    }
    try {
      await Promise.all([
        ...range(singles).map((index) => this.#untilGone(() => this.#postSingle(this.#devices[index]!))),
        ...range(batchers).map((index) =>
          this.#untilGone(() => this.#postBatch(this.#devices.slice(singles + index * 2, singles + index * 2 + 2))),
        ),
        ...range(registrars).map(() =>
          this.#untilGone(() => this.#postSingle({ device: new SimulatedDevice(), nextSeq: 1, unconfirmed: null })),
        ),
      ]);
    } finally {
      this.#client.close();
    }
  }

  /** Repeats a step until the node is gone: a request without an answer. */
  async #untilGone(step: () => Promise<boolean>): Promise<void> {
    while (await step());
  }

  async #postSingle(loaded: LoadedDevice): Promise<boolean> {
    if (!(await this.#registered(loaded))) return false;
    loaded.unconfirmed ??= blockOf(loaded.device, loaded.nextSeq);
    const reply = await this.#post([loaded.unconfirmed]);
    if (reply === null) return false;
    if (reply.status !== 200 || reply.accepted !== 1) return this.#surprised(reply);
    this.ledger.confirmReading(loaded.device.id, loaded.nextSeq);
    // Now and then a block comes twice, as after an answer that was lost.
    if (this.#random.next() > 0.1) {
      loaded.nextSeq += 1;
      loaded.unconfirmed = null;
    }
    return true;
  }

  /** A batch of two devices' next blocks; in every second one a block is forged and must not hold the others back. */
  async #postBatch(sources: readonly LoadedDevice[]): Promise<boolean> {
    for (const source of sources) if (!(await this.#registered(source))) return false;
    const size = this.#random.between(2, 50);
    const sent = sources.flatMap(({ device, nextSeq }) => range(size).map((index) => blockOf(device, nextSeq + index)));
    const forged = this.#random.next() < 0.5 ? this.#random.pick(sent) : null;
    if (forged !== null) forged.signature = '00'.repeat(64);
    const reply = await this.#post(sent);
    if (reply === null) return false;
    const refused = reply.errors.length;
    if (refused !== (forged === null ? 0 : 1) || reply.accepted !== sent.length - refused)
      return this.#surprised(reply);
    for (const block of sent) {
      if (block !== forged) this.ledger.confirmReading(block.deviceId, Number(block.seq));
    }
    for (const source of sources) source.nextSeq += size;
    return true;
  }

  async #registered({ device }: LoadedDevice): Promise<boolean> {
    if (this.ledger.knows(device.id)) return true;
    const reply = await this.#answer(this.#client!.register(device.registration()));
    if (reply === null) return false;
    // 409: it was stored, and the answer was lost in a crash.
    if (reply.status !== 201 && reply.status !== 409) return this.#surprised(reply);
    this.ledger.confirmDevice(device.id);
    return true;
  }

  async #post(blocks: readonly BlockInput[]): Promise<PostResponse | null> {
    return await this.#answer(this.#client!.post(blocks));
  }

  /** The answer, or null where the node is gone. */
  async #answer<T>(answering: Promise<T>): Promise<T | null> {
    try {
      return await answering;
    } catch (error) {
      if (!this.ending) this.surprises.push(`no answer: ${(error as Error).message}`);
      return null;
    }
  }

  #surprised({ status, body }: { status: number; body: unknown }): false {
    this.surprises.push(`answered ${status}: ${JSON.stringify(body)}`);
    return false;
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
