import type { Logger } from 'pino';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { LogAct, Photo } from '../../../shared/owner-data/journal.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { PhotoFolder } from '../../photos/photo-folder.ts';
import type { Store } from '../../store/port.ts';
import type { Caller } from '../caller.ts';
import type { Checked } from '../handlers.ts';
import { ViewerBound } from './viewer-bound.ts';

/** How long a photo waits for its entry, and how many photos may wait. */
const WAITS_MS = 3_600_000;
const MAX_WAITING = 40;

export interface PhotosDependencies {
  readonly dataDir: string;
  readonly store: () => Store | null;
  readonly events: NodeEvents;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxBytes: () => number;
}

/** The photos of the log: files next to the private store. Entries have their ids. */
export class Photos {
  readonly #dependencies: PhotosDependencies;
  readonly #folder: PhotoFolder;
  /** Adding photos, writing entries with photos, and deleting files run one after another. */
  readonly #queue = new SerialQueue();
  /** The time at which each photo without an entry was added. */
  readonly #waiting = new Map<string, number>();
  /** The photos that entries had at the latest read; null before the first. */
  #named: Set<string> | null = null;
  readonly #bound: ViewerBound;
  readonly #ends: readonly (() => void)[];

  constructor(dependencies: PhotosDependencies) {
    this.#dependencies = dependencies;
    this.#folder = new PhotoFolder(dependencies.dataDir);
    this.#bound = new ViewerBound(dependencies.clock);
    const sweep = () => void this.#inTurn('sweep', () => this.#sweep());
    const { events } = dependencies;
    this.#ends = [events.on('journalChanged', sweep), events.on('forgotten', sweep)];
    void this.#inTurn('start', () => this.#begin());
  }

  /** See the contract, as for all methods. They reject with OwnerError and StorageUnavailable. */
  add({ image, preview }: Checked<'addPhoto'>, caller: Caller): Promise<Output<'addPhoto'>> {
    return this.#queue.run(async () => {
      this.#bound.take(caller);
      await this.#dropExpired();
      if (this.#waiting.size >= MAX_WAITING)
        throw new OwnerError('too_many', `${MAX_WAITING} photos wait for their entries already: try again in an hour`);
      const { clock, maxBytes } = this.#dependencies;
      const bytes = (base64: string) => Buffer.from(base64, 'base64');
      const added = await onDisk(() =>
        this.#folder.add(bytes(image), preview === null ? null : bytes(preview), maxBytes()),
      );
      if (added.problem === null) this.#waiting.set(added.photo.id, clock.now());
      return added;
    });
  }

  async read({ photo: id, entry, size }: Checked<'photo'>, { role, devices }: Caller): Promise<Output<'photo'>> {
    const found = await this.#store.entry(entry);
    const sees = role === 'owner' || devices === null || found?.device == null || devices.has(found.device);
    if (!sees || found?.act?.photos?.every((each) => each.id !== id) !== false)
      throw new OwnerError('not_found', 'the journal has no such photo');
    const bytes = await onDisk(() => this.#folder.read(id, size));
    return { image: bytes === null ? null : Buffer.from(bytes).toString('base64') };
  }

  async space(): Promise<Output<'photoSpace'>> {
    return { ...(await onDisk(() => this.#folder.used())), maxBytes: this.#dependencies.maxBytes() };
  }

  /**
   * Writes an entry with the photos of its act: each must have been added, or be in the entry already. Rejects with
   * OwnerError if one is neither.
   */
  withPhotos<T>(act: LogAct | undefined, entry: number | null, write: () => Promise<T>): Promise<T> {
    const photos = act?.photos ?? [];
    if (photos.length === 0) return write();
    return this.#queue.run(async () => {
      const before = entry === null ? null : await this.#store.entry(entry);
      const had = before?.act?.photos ?? [];
      for (const photo of photos) {
        if (had.some((each) => isSame(each, photo))) continue;
        const found = await onDisk(() => this.#folder.find(photo.id));
        if (found === null || !isSame(found, photo))
          throw new OwnerError('conflict', 'a photo is not there any more: add it again');
      }
      const written = await write();
      const ids = photos.map(({ id }) => id);
      for (const id of ids) this.#waiting.delete(id);
      for (const id of ids) this.#named?.add(id);
      // If this fails, the entry still has the photo, and the next start renames the file.
      await this.#folder.adopt(ids).catch((error: unknown) => this.#fault('adopt', error));
      return written;
    });
  }

  /** Resolves when no work is running. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#queue.settled();
  }

  get #store(): Store {
    return this.#dependencies.store()!;
  }

  /** Repairs the state after a crash: renames a photo whose entry was written, and deletes one without an entry. */
  async #begin(): Promise<void> {
    await this.#folder.tidy();
    const named = await this.#read();
    const waiting = await this.#folder.waiting();
    await this.#folder.adopt(waiting.filter((id) => named.has(id)));
    await this.#folder.remove(waiting.filter((id) => !named.has(id)));
    const left = (await this.#folder.kept()).filter((id) => !named.has(id));
    // Many such photos are those of a lost store, which may be restored.
    if (left.length > 0 && (named.size === 0 || left.length > MAX_WAITING))
      this.#dependencies.log.warn({ photos: left.length }, 'there are photos that no entry of the log has; they stay');
    else await this.#folder.remove(left);
  }

  /** Deletes the files of photos that entries had and no entry has any more. */
  async #sweep(): Promise<void> {
    const before = this.#named;
    // Nothing was read yet: the next start checks the files.
    if (before === null) return;
    const named = await this.#read();
    await this.#folder.remove([...before].filter((id) => !named.has(id) && !this.#waiting.has(id)));
  }

  async #dropExpired(): Promise<void> {
    const until = this.#dependencies.clock.now() - WAITS_MS;
    const expired = [...this.#waiting].flatMap(([id, since]) => (since <= until ? [id] : []));
    for (const id of expired) this.#waiting.delete(id);
    await onDisk(() => this.#folder.remove(expired.filter((id) => this.#named?.has(id) === false)));
  }

  async #read(): Promise<Set<string>> {
    const entries = await this.#store.entriesWithPhotos();
    this.#named = new Set(entries.flatMap(({ act }) => act?.photos?.map(({ id }) => id) ?? []));
    return this.#named;
  }

  #inTurn(what: string, job: () => Promise<void>): Promise<void> {
    return this.#queue.run(job).catch((error: unknown) => this.#fault(what, error));
  }

  #fault(what: string, error: unknown): void {
    this.#dependencies.log.warn({ err: error, what }, 'the folder of photos could not be looked after');
  }
}

function isSame(a: Photo, b: Photo): boolean {
  return a.id === b.id && a.width === b.width && a.height === b.height && a.bytes === b.bytes;
}

async function onDisk<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof OwnerError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new OwnerError('storage_unavailable', `the folder of photos can't be used (${code ?? 'unknown fault'})`);
  }
}
