import type { OwnerErrorCode } from '../../shared/owner-api/contract.ts';

/** An expected failure of an owner call; the details are for developers, the code is what the renderer words. */
export class OwnerError extends Error {
  override readonly name = 'OwnerError';
  readonly code: OwnerErrorCode;

  constructor(code: OwnerErrorCode, details: string) {
    super(details);
    this.code = code;
  }
}
