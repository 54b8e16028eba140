import { createPublicKey, verify } from 'node:crypto';
import { median } from './latencies.ts';
import { benchDevice, sensorValues, timestampOf } from './traffic.ts';

const SAMPLE_MS = 250;
const DEVICES = 20;
const BLOCKS_EACH = 10;

interface Signed {
  readonly raw: Buffer;
  readonly signature: Buffer;
  readonly key: ReturnType<typeof createPublicKey>;
}

/**
 * V: how many Ed25519 signatures over the raw strings of the firmware (about 150 bytes) one core of this machine
 * verifies in a second with node:crypto. Machines are compared by it, so the targets are multiples of it.
 */
export class VerifyRate {
  readonly #signed = makeSigned();
  /** Every sample so far, in the order taken. */
  readonly samples: number[] = [];

  /** Takes samples; blocks this thread for a quarter of a second each. */
  measure(samples: number): void {
    for (let taken = 0; taken < samples; taken += 1) this.samples.push(this.#sample());
  }

  /** The median of the samples. */
  get value(): number {
    return median(this.samples);
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
