import type { Logger } from 'pino';
import { METHODS, type MethodName, type OwnerErrorCode } from '../../shared/owner-api.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import { OwnerError } from './owner-error.ts';

/** An answer with its value written as JSON already. */
export type JsonAnswer =
  | { readonly ok: true; readonly json: Uint8Array | string }
  | { readonly ok: false; readonly error: OwnerErrorCode; readonly details?: string };

/**
 * Answers a call as it came over a transport: nothing about it is trusted. `run` gets what fits the contract and gives
 * the value as JSON. Never rejects.
 */
export async function answerCall(
  log: Logger,
  method: string,
  input: unknown,
  run: (method: MethodName, input: unknown) => Promise<Uint8Array | string>,
): Promise<JsonAnswer> {
  try {
    if (!Object.hasOwn(METHODS, method)) throw new OwnerError('unknown_method', 'no such method');
    const name = method as MethodName;
    const checked = METHODS[name].input.safeParse(input);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      throw new OwnerError('invalid_input', `${issue?.path.join('.') || 'input'}: ${issue?.message}`);
    }
    return { ok: true, json: await run(name, checked.data) };
  } catch (error) {
    if (error instanceof OwnerError) {
      return { ok: false, error: error.code, ...(error.message === '' ? {} : { details: error.message }) };
    }
    if (isStorageFault(error)) return { ok: false, error: 'storage_unavailable' };
    log.error({ err: error, method }, 'an owner call failed');
    return { ok: false, error: 'internal_error' };
  }
}
