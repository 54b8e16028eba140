import type { OwnerErrorCode } from '../../shared/owner-api/contract.ts';

/**
 * Why an owner call failed: the node's error code; `disconnected` if the node did not answer; `other_version` if
 * another node's answer is not understood by this one.
 */
export type ApiErrorCode = OwnerErrorCode | 'disconnected' | 'other_version';

/** A failed owner call. `message` is for a log; the text for the user comes from `code`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, details?: string) {
    super(details === undefined ? code : `${code}: ${details}`);
    this.name = 'ApiError';
    this.code = code;
  }
}

/**
 * The messages of browsers and Vite if a part of the program could not be loaded. They also mean that the node did not
 * answer.
 */
const PART_NOT_LOADED = /dynamically imported module|preload CSS|importing a module script/i;

/** Returns the code of any thrown value. A value that is not an API error is a bug in this app. */
export function errorCode(error: unknown): ApiErrorCode {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code as ApiErrorCode;
  return error instanceof Error && PART_NOT_LOADED.test(error.message) ? 'disconnected' : 'internal_error';
}
