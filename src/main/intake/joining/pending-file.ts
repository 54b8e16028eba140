import { z } from 'zod';
import { deviceId, timeMs } from '../../../shared/owner-data/values.ts';
import { type DeviceRegistration, deviceRegistration } from '../../../shared/protocol/device.ts';
import { parseJson64, stringifyJson64 } from '../../../shared/protocol/json64.ts';
import type { StateFolder } from '../../state-files/aside.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../../state-files/state-file.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';

const keptRegistration = z.object({
  /** The registration as JSON text: `location` has 64 bits. */
  sent: z.string().refine((text) => readSent(text) !== null),
  /** The address that it came from first. */
  address: z.string(),
  /** Which addresses it came from, as rate limits count them. */
  hosts: z.array(z.string()),
  count: z.int().min(0),
  firstAt: timeMs,
  lastAt: timeMs,
});

const keptDevice = z.object({
  id: deviceId,
  /** When it was let in. */
  since: timeMs,
  /** Whether a block with a valid signature came under the id. */
  isSigned: z.boolean(),
  /** Whether the owner has to let it in, whatever it sends. */
  isHeld: z.boolean(),
  /** Names an opening in which only one device was to join; null: it had no such limit. */
  onlyOneOf: z.string().nullable(),
  registrations: z.array(keptRegistration).min(1),
});

const content = z.object({
  version: z.literal(1),
  devices: z.array(keptDevice),
  /** Registrations that the owner dismissed, by their contents. */
  dismissed: z.array(z.object({ digest: z.string(), at: timeMs })),
});
export type PendingDocument = z.infer<typeof content>;

export const PENDING_FILE: StateFileKind<typeof content> = {
  ...{ name: 'joining.json', schema: content, empty: { version: 1, devices: [], dismissed: [] } },
  // What was dismissed stays so.
  copy: 'same',
};

/** The file of what waits, for writes that come together. */
export class PendingFile {
  readonly #file: StateFile<typeof content>;
  readonly #content: () => PendingDocument;
  /** A write that has not begun: it will have what changes until then. */
  #next: Promise<void> | null = null;
  #latest: Promise<void> = Promise.resolve();

  constructor(folder: StateFolder, document: () => PendingDocument) {
    this.#file = openStateFile(PENDING_FILE, folder);
    this.#content = document;
  }

  /** The contents of the file; null if there is none. Throws StartError if it may not be read. */
  read(): { readonly document: PendingDocument | null; readonly wasDamaged: boolean } {
    const document = this.#file.read();
    return { document, wasDamaged: this.#file.wasDamaged };
  }

  /** Resolves when what there is now is on disk. Rejects with StorageUnavailable. */
  save(): Promise<void> {
    this.#next ??= this.#latest = this.#write();
    return this.#next;
  }

  /** The same where all that is to be on disk was saved before. */
  saved(): Promise<void> {
    return this.#latest.catch(() => this.save());
  }

  /** For what the next start finds out by itself: which devices are registered, and what time it is. */
  saveLater(): void {
    this.save().catch(() => {});
  }

  /** Resolves once nothing is under way. Never rejects. */
  async settled(): Promise<void> {
    await this.#latest.catch(() => {});
  }

  async #write(): Promise<void> {
    try {
      await this.#file.write(() => {
        this.#next = null;
        return this.#content();
      });
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new StorageUnavailable(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'unreachable', message);
    }
  }
}

/** A registration as text for the file. */
export function writeSent(registration: DeviceRegistration): string {
  return stringifyJson64(registration);
}

/** The registration of a text; null: it is none. */
export function readSent(text: string): DeviceRegistration | null {
  try {
    return deviceRegistration.safeParse(parseJson64(text)).data ?? null;
  } catch {
    return null;
  }
}
