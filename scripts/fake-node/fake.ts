import {
  type Input,
  METHODS,
  type MethodName,
  type Output,
  type OwnerErrorCode,
} from '../../src/shared/owner-api/contract.ts';
import type { EventName, EventPayload } from '../../src/shared/owner-api/events.ts';

/** A call that fails with an error of the contract. */
export class FakeError extends Error {
  readonly code: OwnerErrorCode;

  constructor(code: OwnerErrorCode) {
    super(code);
    this.code = code;
  }
}

/** An answer for each method. Methods throw FakeError. A missing method does not compile. */
export type Answers = { readonly [M in MethodName]: (input: Input<M>) => Output<M> };

/** Called with each event of the node. */
export type OnFakeEvent = <E extends EventName>(event: E, payload: EventPayload<E>) => void;

/** Calls a method with an unchecked input. A wrong answer of the fake throws an error that names the place. */
export function callFake(answers: Answers, method: string, input: unknown): unknown {
  if (!Object.hasOwn(METHODS, method)) throw new FakeError('unknown_method');
  const name = method as MethodName;
  const checked = METHODS[name].input.safeParse(input);
  if (!checked.success) throw new FakeError('invalid_input');
  const run = answers[name] as (input: Input<MethodName>) => unknown;
  return METHODS[name].output.parse(run(checked.data as Input<MethodName>));
}
