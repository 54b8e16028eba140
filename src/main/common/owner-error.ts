import type { OwnerErrorCode } from '../../shared/owner-api/contract.ts';

/** An expected failure of an owner call. The details are for developers; the renderer has a text for each code. */
export class OwnerError extends Error {
  override readonly name = 'OwnerError';
  readonly code: OwnerErrorCode;

  constructor(code: OwnerErrorCode, details: string) {
    super(details);
    this.code = code;
  }
}
