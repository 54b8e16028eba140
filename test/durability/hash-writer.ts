import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { newReading } from '../support/readings.ts';

// Stores readings of a device from a seq on, and hashes them, until it is killed: hash-writer.ts PATH DEVICE SEQ

const AT_ONCE = 300;
const START = 1_760_000_000_000;

const [path, device, from] = process.argv.slice(2) as [string, string, string];
const writer = new DirectWriter(path);
for (let seq = Number(from); ; seq += AT_ONCE) {
  writer.append(
    Array.from({ length: AT_ONCE }, (_, at) => {
      const time = START + (seq + at) * 1000;
      const signed = { signature: new Uint8Array(64).fill(seq), raw: Buffer.from(`raw of ${seq + at}`) };
      return newReading(device, {
        ...{ seq: BigInt(seq + at), timestamp: BigInt(time), receivedAt: time + 7, fields: [(seq + at) / 100], signed },
      });
    }),
  );
  // What is said here is stored.
  process.stdout.write(`${seq + AT_ONCE}\n`);
  writer.sumUp();
}
