import {
  type Input,
  METHODS,
  type MethodName,
  type Output,
  type OwnerErrorCode,
} from '../../src/shared/owner-api/contract.ts';
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

/** Calls a method with an input as it came. What a fake answers wrongly is an error that names the place. */
export function callFake(answers: Answers, method: string, input: unknown): unknown {
  if (!Object.hasOwn(METHODS, method)) throw new FakeError('unknown_method');
  const name = method as MethodName;
  const checked = METHODS[name].input.safeParse(input);
  if (!checked.success) throw new FakeError('invalid_input');
  const run = answers[name] as (input: Input<MethodName>) => unknown;
  return METHODS[name].output.parse(run(checked.data as Input<MethodName>));
}
