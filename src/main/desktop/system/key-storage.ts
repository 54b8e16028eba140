import { safeStorage } from 'electron';
import type { Logger } from 'pino';
import type { Unwrapped } from '../../../shared/desktop-api.ts';
import { isSealedSafely } from './sealed.ts';

/** The only length that a keystore's data key has, in bytes. */
const DATA_KEY_BYTES = 32;
/** More than any keyring produces from 32 bytes. */
const MAX_WRAPPED_BYTES = 16_384;
const TRIAL = 'trial';
const NOT_OPENED: Unwrapped = { dataKey: null, advice: 'renew' };

/**
 * The operating system's key storage, used only for a keystore's data key. Every failure returns null: the passphrase
 * always opens the keystore, too, so a lost or changed keyring never locks the owner out.
 */
export class KeyStorage {
  readonly #log: Logger;
  readonly #platform: NodeJS.Platform;

  constructor(log: Logger, platform: NodeJS.Platform = process.platform) {
    this.#log = log;
    this.#platform = platform;
  }

  /**
   * Returns whether the storage is safe. It seals a sample, since Electron also reports a storage as available if its
   * key is public.
   */
  async available(): Promise<boolean> {
    return (await this.#seal(TRIAL)) !== null;
  }

  /** See `OsWrap.wrap`; the argument is what came over IPC. */
  async wrap(dataKey: unknown): Promise<Uint8Array | null> {
    if (!(dataKey instanceof Uint8Array) || dataKey.length !== DATA_KEY_BYTES) return null;
    return this.#seal(Buffer.from(dataKey).toString('base64'));
  }

  /** See `OsWrap.unwrap`; the argument is what came over IPC. */
  async unwrap(wrapped: unknown): Promise<Unwrapped> {
    if (!(wrapped instanceof Uint8Array) || wrapped.length === 0 || wrapped.length > MAX_WRAPPED_BYTES) {
      return NOT_OPENED;
    }
    if (!isSealedSafely(wrapped, this.#platform)) return { dataKey: null, advice: 'drop' };
    try {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return NOT_OPENED;
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(wrapped));
      const dataKey = new Uint8Array(Buffer.from(result, 'base64'));
      if (dataKey.length !== DATA_KEY_BYTES) return NOT_OPENED;
      return { dataKey, advice: shouldReEncrypt ? 'renew' : 'keep' };
    } catch (error) {
      // The keyring was changed or belongs to another user. The error contains no key material.
      this.#log.warn({ reason: (error as Error).name }, 'the key storage does not open what it sealed');
      return NOT_OPENED;
    }
  }

  /** Returns null if the storage fails, or if others could open the sealed text. */
  async #seal(text: string): Promise<Uint8Array | null> {
    try {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
      const sealed = new Uint8Array(await safeStorage.encryptStringAsync(text));
      return isSealedSafely(sealed, this.#platform) ? sealed : null;
    } catch (error) {
      this.#log.warn({ reason: (error as Error).name }, 'the key storage does not seal');
      return null;
    }
  }
}
