import type { OwnerErrorCode } from '../../shared/owner-api/contract.ts';

/**
 * Why an owner call failed: what the node answered; `disconnected` where it did not answer; `other_version` where another node
 * answered what this one does not understand.
 */
export type ApiErrorCode = OwnerErrorCode | 'disconnected' | 'other_version';

/** A failed owner call. `message` is for a log; the text for a person comes from `code`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, details?: string) {
    super(details === undefined ? code : `${code}: ${details}`);
    this.name = 'ApiError';
    this.code = code;
  }
}

/**
 * The messages of browsers and Vite for a part of the program that could not be loaded: the node did not answer that
 * request either.
 */
const PART_NOT_LOADED = /dynamically imported module|preload CSS|importing a module script/i;

/** The code of anything that was thrown; what is not an API error is a fault of this app. */
export function errorCode(error: unknown): ApiErrorCode {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code as ApiErrorCode;
  return error instanceof Error && PART_NOT_LOADED.test(error.message) ? 'disconnected' : 'internal_error';
}
