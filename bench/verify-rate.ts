import { createPublicKey, verify } from 'node:crypto';
import { median } from './latencies.ts';
import { benchDevice, sensorValues, timestampOf } from './traffic.ts';

const SAMPLE_MS = 250;
const SAMPLES = 5;
const DEVICES = 20;
const BLOCKS_EACH = 10;

interface Signed {
  readonly raw: Buffer;
  readonly signature: Buffer;
  readonly key: ReturnType<typeof createPublicKey>;
}

/**
 * V: the number of Ed25519 signatures of the firmware's raw strings (about 150 bytes) that one core of this machine
 * verifies per second with node:crypto. It compares machines, so the targets are multiples of it.
 */
export class VerifyRate {
  readonly #signed = makeSigned();
  /** The medians of the previous measurements. */
  readonly medians: number[] = [];

  /** Measures again, by the median of some samples. Blocks this thread for a quarter of a second per sample. */
  measure(): void {
    this.medians.push(median(Array.from({ length: SAMPLES }, () => this.#sample())));
  }

  /** The highest of the medians: other work on the machine can only lower V, and a low V would make targets easy. */
  get value(): number {
    return Math.max(...this.medians);
  }

  /** Whether the measurements differ by more than a tenth, which means that the machine's load changed. */
  get unsteady(): boolean {
    return Math.min(...this.medians) < 0.9 * this.value;
  }

  #sample(): number {
    const start = performance.now();
    let verified = 0;
    let elapsed = 0;
    do {
      for (const { raw, signature, key } of this.#signed) {
        if (!verify(null, raw, key, signature)) throw new Error('a good signature was refused');
      }
      verified += this.#signed.length;
      elapsed = performance.now() - start;
    } while (elapsed < SAMPLE_MS);
    return (verified * 1000) / elapsed;
  }
}

function makeSigned(): Signed[] {
  return Array.from({ length: DEVICES }, (_, index) => {
    const device = benchDevice(index);
    const x = Buffer.from(device.id, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return Array.from({ length: BLOCKS_EACH }, (_, seq) => {
      const { raw, signature } = device.block({ seq, timestamp: timestampOf(seq), plain: sensorValues(seq) });
      return { raw: Buffer.from(raw, 'hex'), signature: Buffer.from(signature, 'hex'), key };
    });
  }).flat();
}
