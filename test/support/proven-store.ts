import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { Checkpoints } from '../../src/main/proof/checkpoints.ts';
import { LogSigner } from '../../src/main/proof/log-key.ts';
import type { WitnessNode } from '../../src/main/proof/log-witnesses.ts';
import type { Outlet } from '../../src/main/proof/outlet-kinds.ts';
import { Witness } from '../../src/main/proof/witness.ts';
import { writeProof } from '../../src/main/proof/write-proof.ts';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { fileLocation } from '../../src/main/store/locations.ts';
import type { NewReading, StoredField } from '../../src/main/store/reading.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { StoredCheckpoint } from '../../src/main/store/store-log.ts';
import { publicKeyOf } from '../../src/shared/crypto/ed25519.ts';
import { sealField } from '../../src/shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../../src/shared/crypto/keyring/field-key.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { formatRaw } from '../../src/shared/protocol/raw.ts';
import { MAX_UINT64 } from '../../src/shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { NODE_PHRASE } from './care.ts';
import { FakeClock } from './fake-clock.ts';
import { newReading } from './readings.ts';

const SILENT = pino({ level: 'silent' });
export const PROVEN_AT = 1_760_000_000_000;
export const PROVEN = new SimulatedDevice({ seed: Buffer.alloc(32, 1), mac: '02a1b2c3d4e5', name: 'Tank' });
const OTHER = new SimulatedDevice({ seed: Buffer.alloc(32, 2), mac: '02a1b2c3d4e6', name: 'Barn' });

/** Returns a reading with the raw string that its device signs; by default the firmware's. */
function signedReading(device: SimulatedDevice, seq: number, fields: readonly StoredField[], raw?: string | null) {
  const timestamp = PROVEN_AT + seq * 60_000;
  const [ph, ec] = fields;
  const plain = [
    ...(typeof ec === 'number' ? [{ name: 'ec' as const, value: ec, decimals: 0 }] : []),
    ...(typeof ph === 'number' ? [{ name: 'ph' as const, value: ph, decimals: 2 }] : []),
  ];
  const text = raw ?? formatRaw(device.id, String(seq), String(timestamp), 0, plain);
  const bytes = Buffer.from(text);
  return newReading(device.id, {
    ...{ seq: BigInt(seq), timestamp: BigInt(timestamp), receivedAt: timestamp + 250, fields },
    signed: raw === null ? null : { signature: device.sign(bytes), raw: bytes },
  });
}

/**
 * Creates the data folder of a stopped node with signed readings of two devices, of every kind that a proof can have.
 */
export function makeProvenFolder(dataDir: string): void {
  const writer = newFolder(dataDir);
  const sealed = Uint8Array.from({ length: 32 }, (_, at) => at);
  writer.append([
    signedReading(PROVEN, 1, [6.2, 1800]),
    signedReading(OTHER, 1, [7, 900]),
    // Encrypted, with only the header signed, in another composition, and without a stored signature.
    signedReading(PROVEN, 2, [sealed, 1750]),
    signedReading(PROVEN, 3, [6.4], `${PROVEN.id}|3|${PROVEN_AT + 180_000}|0`),
    signedReading(PROVEN, 4, [6.5], 'pH is 6.5, says number four'),
    signedReading(PROVEN, 5, [6.6, 1700], null),
    { ...signedReading(PROVEN, 6, [6.7, 1650]), clock: 3 },
    signedReading(OTHER, 2, [7.1, 910]),
  ]);
  const move = { clock: 3, next: 4, by: -5000, from: PROVEN_AT, to: PROVEN_AT + 900_000, at: PROVEN_AT + 950_000 };
  writer.run([{ kind: 'moveArrivals', move, after: null, limit: 100 }]);
  writer.sumUp();
  writer.close();
}

export const WITNESS_AT = PROVEN_AT + 1_000_000;
/** Returns another node in a folder, which cosigns. */
export const witnessOf = (folder: string) => new Witness({ path: folder, log: SILENT, now: () => WITNESS_AT });

/** Signs a checkpoint of a folder's log and lets witnesses cosign it, as a node does once an hour. */
export async function signCheckpoint(dataDir: string, witnesses: readonly WitnessNode[] = []): Promise<Checkpoints> {
  const checkpoints = checkpointsOf(dataDir, { witnesses });
  checkpoints.start();
  await checkpoints.sign();
  await checkpoints.stop();
  return checkpoints;
}

interface SignedBy {
  readonly witnesses?: readonly WitnessNode[];
  readonly outlets?: readonly Outlet[];
  readonly clock?: FakeClock;
}

/** Returns the part of a node that signs checkpoints of a folder's log. */
export function checkpointsOf(
  dataDir: string,
  { witnesses = [], outlets = [], clock = new FakeClock(PROVEN_AT) }: SignedBy,
): Checkpoints {
  const path = join(dataDir, 'private.db');
  return new Checkpoints({
    ...{ dataDir: () => dataDir, clock, log: SILENT, witnesses: () => witnesses, outlets },
    locations: () => ({ private: fileLocation(path), public: null }),
    store: (name) => (name === 'private' ? ({ addCheckpoint } as never) : null),
  });

  async function addCheckpoint(checkpoint: StoredCheckpoint): Promise<void> {
    const writer = new DirectWriter(path);
    writer.run([{ kind: 'checkpoint', checkpoint }]);
    writer.close();
  }
}

/** Adds a reading of the second device. */
export function addOther(dataDir: string, seq: number): void {
  const writer = new DirectWriter(join(dataDir, 'private.db'));
  writer.append([signedReading(OTHER, seq, [7, 900])]);
  writer.sumUp();
  writer.close();
}

/** Writes an identity into a folder. */
export function makeIdentity(dataDir: string, phrase: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'identity.mnemonic'), `${phrase}\n`, { mode: 0o600 });
}

/** The seed of the owner whose keys encrypt values in the folder below and sign statements about them. */
export const OWNER_SEED = Buffer.alloc(32, 9);

/**
 * Creates such a folder with encrypted values: a reading with one, a reading with two, a copy, and a reading that no
 * key opens.
 */
export function makeSealedFolder(dataDir: string): void {
  const writer = newFolder(dataDir, Buffer.from(publicKeyOf(OWNER_SEED)).toString('hex'));
  const key = deriveFieldKey(OWNER_SEED, Buffer.from(PROVEN.id, 'hex'), 0);
  const seal = (value: number, at: number) => {
    const nonce = Buffer.alloc(12, at);
    return new Uint8Array(Buffer.concat([nonce, sealField(key, value, nonce)]));
  };
  writer.append([
    signedReading(PROVEN, 1, [seal(6.25, 1), 1800]),
    signedReading(PROVEN, 2, [seal(6.5, 2), 1750, null, seal(19.75, 3)]),
    signedReading(PROVEN, 3, [seal(6.25, 1), 1700]),
    signedReading(PROVEN, 4, [Uint8Array.from({ length: 32 }, (_, at) => at), 1650]),
    signedReading(PROVEN, 5, [6.4, 1600]),
  ]);
  writer.sumUp();
  writer.close();
}

/** Returns more readings of the first device, from a sequence number on. */
export function provenReadings(from: number, count: number): NewReading[] {
  return Array.from({ length: count }, (_, at) => signedReading(PROVEN, from + at, [6 + (at % 50) / 100, 1500 + at]));
}

function newFolder(dataDir: string, ownerPubkey = 'cd'.repeat(32)): DirectWriter {
  makeIdentity(dataDir, NODE_PHRASE);
  const path = join(dataDir, 'private.db');
  prepareStore(path, 'private');
  const writer = new DirectWriter(path);
  for (const device of [PROVEN, OTHER]) {
    const over = { publishTo: 0, location: 2n ** 64n - 1n, ownerPubkey } as const;
    const registration = deviceRegistration.parse(device.registration(over));
    // The owner gave it a name on adoption.
    const received = { ...registration, name: `${registration.name}, as sent` };
    const origin = { way: 'adopted', by: "Anna's phone", received } as const;
    writer.register(registration, PROVEN_AT, origin);
  }
  return writer;
}

/** Returns the proof of the first device of such a folder, as text. */
export async function provenText(dataDir: string, open?: Parameters<typeof writeProof>[4]): Promise<string> {
  const reader = await openStoresReader({ private: fileLocation(join(dataDir, 'private.db')), public: null });
  try {
    let text = '';
    const order = { store: 'private', device: PROVEN.id, from: 0n, to: MAX_UINT64 } as const;
    await writeProof(
      reader,
      new LogSigner(dataDir),
      order,
      (lines) => {
        text += lines;
      },
      open,
    );
    return text;
  } finally {
    await reader.close();
  }
}
