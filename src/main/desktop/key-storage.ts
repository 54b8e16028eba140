import { safeStorage } from 'electron';
import type { Logger } from 'pino';

/** The only length that a keystore's data key has, in bytes. */
const DATA_KEY_BYTES = 32;
/** More than any keyring makes of 32 bytes. */
const MAX_WRAPPED_BYTES = 16_384;
/** Linux backends that keep nothing safe: a password that everyone knows, or nobody knows what. */
const UNSAFE_BACKENDS = ['basic_text', 'unknown'];

/**
 * The operating system's key storage, for a keystore's data key alone. Whatever goes wrong answers null: the passphrase
 * always opens the keystore too, so a keyring that is gone or changed never locks the owner out.
 */
export class KeyStorage {
  readonly #log: Logger;
  readonly #platform: NodeJS.Platform;

  constructor(log: Logger, platform: NodeJS.Platform = process.platform) {
    this.#log = log;
    this.#platform = platform;
  }

  async available(): Promise<boolean> {
    try {
      // The backend is known only after the storage was looked for.
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
      return this.#platform !== 'linux' || !UNSAFE_BACKENDS.includes(safeStorage.getSelectedStorageBackend());
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'the key storage does not answer');
      return false;
    }
  }

  /** See `OsWrap.wrap`; the argument is what came over IPC. */
  async wrap(dataKey: unknown): Promise<Uint8Array | null> {
    if (!(dataKey instanceof Uint8Array) || dataKey.length !== DATA_KEY_BYTES) return null;
    if (!(await this.available())) return null;
    try {
      return new Uint8Array(await safeStorage.encryptStringAsync(Buffer.from(dataKey).toString('base64')));
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'the key storage does not seal');
      return null;
    }
  }

  /** See `OsWrap.unwrap`; the argument is what came over IPC. */
  async unwrap(wrapped: unknown): Promise<Uint8Array | null> {
    if (!(wrapped instanceof Uint8Array) || wrapped.length === 0 || wrapped.length > MAX_WRAPPED_BYTES) return null;
    if (!(await this.available())) return null;
    try {
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(wrapped));
      const dataKey = new Uint8Array(Buffer.from(result, 'base64'));
      return dataKey.length === DATA_KEY_BYTES ? dataKey : null;
    } catch (error) {
      // A keyring that was changed, or that belongs to another user. The error holds nothing of the key.
      this.#log.warn({ reason: (error as Error).name }, 'the key storage does not open what it sealed');
      return null;
    }
  }
}
