import type { Input, MethodName, Output, OwnerErrorCode } from '../../src/shared/owner-api/contract.ts';
import type { EventName, EventPayload } from '../../src/shared/owner-api/events.ts';

/** A call that fails as the contract says. */
export class FakeError extends Error {
  readonly code: OwnerErrorCode;

  constructor(code: OwnerErrorCode) {
    super(code);
    this.code = code;
  }
}

/** An answer for each method; throws FakeError. A method that is missing here does not compile. */
export type Answers = { readonly [M in MethodName]: (input: Input<M>) => Output<M> };

/** Called with what happens in the node. */
export type OnFakeEvent = <E extends EventName>(event: E, payload: EventPayload<E>) => void;
