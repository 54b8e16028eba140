import type { OwnerErrorCode } from '../../shared/owner-api.ts';

/** Why an owner call failed: what the node answered, or `disconnected` where it did not answer. */
export type ApiErrorCode = OwnerErrorCode | 'disconnected';

/** A failed owner call. `message` is for a log; the text for a person comes from `code`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, details?: string) {
    super(details === undefined ? code : `${code}: ${details}`);
    this.name = 'ApiError';
    this.code = code;
  }
}

/** The code of anything that was thrown; what is not an API error is a fault of this app. */
export function errorCode(error: unknown): ApiErrorCode {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code as ApiErrorCode;
  return 'internal_error';
}
