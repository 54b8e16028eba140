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
  /** The address that sent it first. */
  address: z.string(),
  /** The addresses that sent it, grouped as for rate limits. */
  hosts: z.array(z.string()),
  count: z.int().min(0),
  firstAt: timeMs,
  lastAt: timeMs,
});

const keptDevice = z.object({
  id: deviceId,
  /** The time when it was accepted. */
  since: timeMs,
  /** Whether a block with a valid signature came under the id. */
  isSigned: z.boolean(),
  /** Whether only the owner can register it, even if it sends signed blocks. */
  isHeld: z.boolean(),
  /** The id of the opening if that was for one device; else null. */
  onlyOneOf: z.string().nullable(),
  registrations: z.array(keptRegistration).min(1),
});

const content = z.object({
  version: z.literal(1),
  devices: z.array(keptDevice),
  /** Registrations that the owner dismissed, by digest. */
  dismissed: z.array(z.object({ digest: z.string(), at: timeMs })),
});
export type PendingDocument = z.infer<typeof content>;

export const PENDING_FILE: StateFileKind<typeof content> = {
  ...{ name: 'joining.json', schema: content, empty: { version: 1, devices: [], dismissed: [] } },
  // Dismissed registrations stay dismissed in a copy.
  copy: 'same',
};

/** The file of waiting registrations. Writes that are requested together become one. */
export class PendingFile {
  readonly #file: StateFile<typeof content>;
  readonly #content: () => PendingDocument;
  /** A write that has not begun. It will include the changes until it begins. */
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

  /** Resolves when the present contents are on disk. Rejects with StorageUnavailable. */
  save(): Promise<void> {
    this.#next ??= this.#latest = this.#write();
    return this.#next;
  }

  /**
   * Resolves when all saves so far are on disk; saves again only if the last one failed. Rejects with
   * StorageUnavailable.
   */
  saved(): Promise<void> {
    return this.#latest.catch(() => this.save());
  }

  /** Saves in the background, for changes that the next start can derive again (registered devices, the time). */
  saveLater(): void {
    this.save().catch(() => {});
  }

  /** Resolves once no write is in progress. Never rejects. */
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

/** Returns a registration as text for the file. */
export function writeSent(registration: DeviceRegistration): string {
  return stringifyJson64(registration);
}

/** Returns the registration in a text; null if there is none. */
export function readSent(text: string): DeviceRegistration | null {
  try {
    return deviceRegistration.safeParse(parseJson64(text)).data ?? null;
  } catch {
    return null;
  }
}
