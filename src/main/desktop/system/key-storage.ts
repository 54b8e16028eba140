import { safeStorage } from 'electron';
import type { Logger } from 'pino';
import type { Unwrapped } from '../../../shared/desktop-api.ts';
import { isSealedSafely } from './sealed.ts';

/** The only length that a keystore's data key has, in bytes. */
const DATA_KEY_BYTES = 32;
/** More than any keyring makes of 32 bytes. */
const MAX_WRAPPED_BYTES = 16_384;
const TRIAL = 'trial';
const NOT_OPENED: Unwrapped = { dataKey: null, advice: 'renew' };

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

  /** Seals something to see with what: Electron calls a storage available also where its key is a public one. */
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
      // A keyring that was changed, or that belongs to another user. The error holds nothing of the key.
      this.#log.warn({ reason: (error as Error).name }, 'the key storage does not open what it sealed');
      return NOT_OPENED;
    }
  }

  /** null where the storage fails, or where others could open what it seals. */
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
