import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { createTarPacker } from 'modern-tar';
import { withChecksum } from '../../src/main/care/archive/checksum.ts';
import { newManifest } from '../../src/main/care/archive/manifest.ts';
import { readArchive } from '../../src/main/care/archive/read-archive.ts';
import { CareError } from '../../src/main/care/care-error.ts';
import { bindToRaw, checkShape } from '../../src/main/intake/rules.ts';
import {
  createKeystore,
  openKeystore,
  osWrapOf,
  unlockWithDataKey,
  withOsWrap,
} from '../../src/shared/crypto/keystore/keystore.ts';
import { emptyContents } from '../../src/shared/crypto/keystore/keystore-contents.ts';
import { encodeFile } from '../../src/shared/crypto/keystore/keystore-format.ts';
import { telemetryBatch } from '../../src/shared/protocol/block.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { parseJson64, stringifyJson64 } from '../../src/shared/protocol/json64.ts';
import { agrees, parseRaw } from '../../src/shared/protocol/raw.ts';
import { changedBytes, changedJson } from './changes.ts';
import corpus from './corpus.json' with { type: 'json' };

/** A reader of bytes that strangers send, with inputs that are nearly what it expects. */
export interface FuzzedReader {
  readonly name: string;
  /** Prepares what all cases share; `folder` is the reader's own, for its files. */
  readonly prepare?: (folder: string) => Promise<void>;
  readonly property: () => fc.IRawProperty<unknown>;
  /** Inputs at which a reader once failed: tried first, as they are. */
  readonly earlier?: readonly (readonly unknown[])[];
}

const DEVICE = {
  id: 'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a',
} as Parameters<typeof bindToRaw>[1];

/** Parses as a route does; null where the text is no JSON. */
function parsed(text: string, parse: (text: string) => unknown): { readonly value: unknown } | null {
  try {
    return { value: parse(text) };
  } catch (error) {
    assert(error instanceof SyntaxError || error instanceof RangeError, String(error));
    return null;
  }
}

const telemetryBody: FuzzedReader = {
  name: 'body of a telemetry post',
  property: () =>
    fc.property(changedJson(corpus.telemetry), (text) => {
      const json = parsed(text, JSON.parse);
      const batch = telemetryBatch.safeParse(json?.value);
      if (!batch.success) return;
      assert(batch.data.blocks.length >= 1 && batch.data.blocks.length <= 100);
      for (const sent of batch.data.blocks) {
        const block = checkShape(sent);
        if ('error' in block) assert.match(block.error, /^Invalid block: \S/);
        else {
          assert.match(block.seq, /^(?:0|[1-9][0-9]{0,19})$/);
          for (const binding of ['known', 'strict', 'off'] as const) bindToRaw(block, DEVICE, binding);
        }
      }
    }),
};

const registrationBody: FuzzedReader = {
  name: 'body of a registration',
  earlier: corpus.earlierRegistrations.map((text) => [text]),
  property: () =>
    fc.property(changedJson(corpus.registration), (text) => {
      const json = parsed(text, parseJson64);
      const device = deviceRegistration.safeParse(json?.value);
      if (!device.success) return;
      assert.match(device.data.id, /^[0-9a-f]{64}$/);
      for (const shown of [device.data.name, device.data.ownerName ?? ''])
        assert.doesNotMatch(shown, /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
      // What is stored is read back the same, 64-bit integers too.
      const text64 = stringifyJson64(device.data);
      assert.equal(stringifyJson64(deviceRegistration.parse(parseJson64(text64))), text64);
    }),
};

const rawString: FuzzedReader = {
  name: 'raw string',
  property: () =>
    fc.property(changedBytes(corpus.raw.map((raw) => Buffer.from(raw))), (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      const raw = parseRaw(text);
      if (raw === null) return;
      // The header is what was written, to the letter: nothing else was signed.
      assert(text.startsWith([raw.deviceId, raw.seq, raw.timestamp, raw.keyVersion].join('|')));
      for (const [name, number] of raw.fields) {
        assert(text.includes(`|${name}=`));
        assert(!Number.isNaN(number.value) && number.tolerance >= 0);
        if (Number.isFinite(number.value) && Number.isFinite(number.tolerance)) assert(agrees(number, number.value));
      }
    }),
};

let archiveFolder = '';
let archives: Uint8Array[] = [];

/** The tar of a small backup, as it is before it is compressed. */
async function tarOf(members: readonly { name: string; content: Buffer }[]): Promise<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const writing = (async () => {
    for (const { name, content } of members) {
      const entry = controller.add({ name, size: content.length, mode: 0o600, type: 'file' }).getWriter();
      await entry.write(content);
      await entry.close();
    }
    controller.finalize();
  })();
  const chunks: Uint8Array[] = [];
  for await (const chunk of readable) chunks.push(chunk);
  await writing;
  return Buffer.concat(chunks);
}

async function smallBackup(): Promise<Uint8Array> {
  const files = [
    { name: 'private.db', content: Buffer.from('a store'.repeat(90)) },
    { name: 'alerts.json', content: Buffer.from('{"version":1}') },
  ];
  const summary = { version: 5, devices: 1, readings: 5, lastReceivedAt: 1_700_000_000_000, rows: { readings: 5 } };
  const manifest = newManifest({
    madeAt: '2026-01-01T00:00:00.000Z',
    reason: 'demand',
    program: '0.1.0',
    node: { publicKey: 'cd'.repeat(32), host: 'pi', dataDir: '/var/lib/wellhouse' },
    stores: { private: summary, public: null },
    members: files.map(({ name, content }) => ({
      name,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
  });
  return tarOf([{ name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) }, ...files]);
}

async function written(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

const backupArchive: FuzzedReader = {
  name: 'backup archive',
  async prepare(folder) {
    archiveFolder = folder;
    mkdirSync(folder, { recursive: true });
    archives = [await smallBackup()];
  },
  property: () =>
    fc.asyncProperty(
      // Below the compression and the checksum, where a change is not found by its sum, and above them.
      fc.oneof({ weight: 3, arbitrary: changedBytes(archives) }, { weight: 1, arbitrary: fc.constant(null) }),
      changedBytes([Buffer.from([])]),
      async (tar, tail) => {
        const packed = await written(withChecksum(once(zstdCompressSync(tar ?? archives[0]!))));
        const path = join(archiveFolder, 'case.wellhouse');
        writeFileSync(path, tar === null ? Buffer.concat([packed, tail]) : packed);
        let taken = 0;
        try {
          const { members } = await readArchive(path, null, {
            onMember: async (_member, bytes) => {
              for await (const chunk of bytes) taken += chunk.length;
            },
          });
          assert.equal(
            taken,
            members.reduce((sum, { bytes }) => sum + bytes, 0),
          );
        } catch (error) {
          if (!(error instanceof CareError)) throw error;
          assert(['damaged', 'not_a_backup', 'newer'].includes(error.fault), error.fault);
        }
      },
    ),
};

let keystores: { bytes: Uint8Array; dataKey: Uint8Array }[] = [];

const keystoreFile: FuzzedReader = {
  name: 'keystore',
  async prepare() {
    const { bytes, keystore } = await createKeystore('a well in the orchard', emptyContents(), {
      cost: { n: 2 ** 15, r: 8, p: 1 },
    });
    const wrapped = withOsWrap(keystore, Uint8Array.of(1, 2, 3));
    keystores = [bytes, wrapped.bytes].map((each) => ({ bytes: each, dataKey: keystore.dataKey }));
  },
  property: () =>
    fc.asyncProperty(changedBytes(keystores.map(({ bytes }) => bytes)), fc.boolean(), async (bytes, hasSum) => {
      // With the checksum made right again the change is found by what reads further in, or by the encryption.
      const file = hasSum && bytes.length > 32 ? encodeFile(bytes.slice(0, -32), new Uint8Array()) : bytes;
      const isWhole = keystores.some((each) => Buffer.from(each.bytes).equals(file));
      const outcome = unlockWithDataKey(file, keystores[0]!.dataKey);
      assert.equal(outcome.ok, isWhole);
      osWrapOf(file);
      if (!hasSum && !isWhole) assert.deepEqual(await openKeystore(file, 'any'), { ok: false, reason: 'damaged' });
    }),
};

export const FUZZED_READERS: readonly FuzzedReader[] = [
  telemetryBody,
  registrationBody,
  rawString,
  backupArchive,
  keystoreFile,
];
