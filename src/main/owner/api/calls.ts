import type { Logger } from 'pino';
import type { z } from 'zod';
import type { AuditDetails } from '../../../shared/owner-api/audit.ts';
import {
  type Answer,
  METHODS,
  type MethodName,
  type Output,
  type OwnerErrorCode,
} from '../../../shared/owner-api/contract.ts';
import { LOGS, type Method, OPENS_KEYS, type Right, ROLES } from '../../../shared/owner-api/method.ts';
import type { Deed } from '../../audit/audit-log.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { isStorageFault } from '../../store/storage-unavailable.ts';
import { type Caller, mayUse, sightOf } from '../caller.ts';
import { type Checked, type Handler, type Handlers, type HostMethod, JsonBytes } from '../handlers.ts';
import { refuseUnseen, viewersAnswer } from '../sight.ts';
import { type Ask, AUDITED, type Audited, actorOf } from './audited.ts';
import { answerElsewhere, refuseOwnMachine } from './elsewhere.ts';

/** An answer whose value is JSON text. */
export type JsonAnswer =
  | { readonly ok: true; readonly json: Uint8Array | string }
  | { readonly ok: false; readonly error: OwnerErrorCode; readonly details?: string };

/** The words for a right that a pairing lacks. */
const REFUSED: Readonly<Record<Right, string>> = {
  [OPENS_KEYS]: 'this pairing may not use keys',
  [LOGS]: 'this pairing may not write into the log',
};

/** The part of a method that a call uses. To compare whole schemas of Zod with their outputs takes the compiler seconds. */
interface Callable<Valid> extends Pick<Method, 'role' | 'asks'> {
  readonly input: { readonly safeParse: (input: unknown) => z.ZodSafeParseResult<Valid> };
}

/** The contract with each schema's output typed by its method, so that a handler can be found by the same name. */
const CONTRACT: { readonly [M in MethodName]: Callable<Checked<M>> } = METHODS;

/**
 * Answers owner calls of any transport and trusts nothing about them. Only this class refuses unknown methods, revoked
 * callers, methods that a role may not call, and inputs that do not match the contract.
 */
export class OwnerCalls {
  readonly #log: Logger;
  readonly #handlers: { readonly [M in MethodName]?: Handler<M> };
  readonly #record: (deed: Deed) => Promise<void>;

  /** Methods without a handler answer that the node does not run. `record` adds to the audit log and never rejects. */
  constructor(
    log: Logger,
    handlers: Handlers<HostMethod> & Partial<Handlers<MethodName>>,
    record: (deed: Deed) => Promise<void>,
  ) {
    this.#log = log;
    this.#handlers = handlers;
    this.#record = record;
  }

  /** Answers with the value as JSON. `from` is the address that the call came from, or null. Never rejects. */
  async callJson(caller: Caller, method: string, input: unknown, from: string | null = null): Promise<JsonAnswer> {
    try {
      if (!isMethod(method)) throw new OwnerError('unknown_method', 'no such method');
      refuseRevoked(caller);
      const json = await this.#run(caller, method, input, from);
      // The caller may have been revoked meanwhile. It still gets the answer if it left by this very call.
      if (method !== 'leave') refuseRevoked(caller);
      return { ok: true, json };
    } catch (error) {
      if (error instanceof OwnerError) {
        return { ok: false, error: error.code, ...(error.message === '' ? {} : { details: error.message }) };
      }
      if (isStorageFault(error)) return { ok: false, error: 'storage_unavailable' };
      this.#log.error({ err: error, method }, 'an owner call failed');
      return { ok: false, error: 'internal_error' };
    }
  }

  /** Like `callJson`, with the value itself. */
  async call<M extends MethodName>(caller: Caller, method: M, input: unknown): Promise<Answer<M>> {
    const answer = await this.callJson(caller, method, input);
    if (!answer.ok) return answer;
    const text = typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json);
    const value: Output<M> = JSON.parse(text);
    return { ok: true, value };
  }

  /** Returns the audit log's details of the state that the call is about to change; empty if it is unknown. */
  async #before<M extends MethodName>(
    { before }: Audited<M>,
    input: Checked<M>,
    caller: Caller,
  ): Promise<AuditDetails> {
    if (before === undefined) return {};
    const ask: Ask = async (method, asked) => {
      const handler = this.#handlers[method] as Handler<typeof method> | undefined;
      return handler === undefined ? null : plain<typeof method>(await handler(asked, caller));
    };
    try {
      return await before(input, ask);
    } catch {
      return {};
    }
  }

  async #run<M extends MethodName>(
    caller: Caller,
    name: M,
    input: unknown,
    from: string | null,
  ): Promise<Uint8Array | string> {
    const method = CONTRACT[name];
    if (ROLES.indexOf(caller.role) < ROLES.indexOf(method.role))
      throw new OwnerError('forbidden', `only for the ${method.role}`);
    if (!mayUse(caller, method.asks)) throw new OwnerError('forbidden', REFUSED[method.asks!]);
    const checked = method.input.safeParse(input);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      throw new OwnerError('invalid_input', `${issue?.path.join('.') || 'input'}: ${issue?.message}`);
    }
    const handler = this.#handlers[name];
    if (handler === undefined) throw new OwnerError('storage_unavailable', 'the node does not run');
    const sight = sightOf(caller);
    if (sight !== null) refuseUnseen(name, checked.data, sight);
    const audited = AUDITED[name] as Audited<M> | string;
    const before = typeof audited === 'string' ? {} : await this.#before(audited, checked.data, caller);
    if (caller.pairing !== null) refuseOwnMachine(name, checked.data);
    // Checked again, because the lookup before may have taken some time.
    refuseRevoked(caller);
    const value = await handler(checked.data, caller);
    if (typeof audited !== 'string') {
      for (const done of audited.done(checked.data, plain(value), before, caller)) {
        await this.#record({ who: actorOf(caller), from, ...done });
      }
    }
    // The query thread has already restricted its answers to the caller's rights.
    if (value instanceof JsonBytes) return value.bytes;
    const seen = sight === null ? value : viewersAnswer(name, value, sight);
    return JSON.stringify(caller.pairing === null ? seen : answerElsewhere(name, seen));
  }
}

/** Returns the value of an answer. */
function plain<M extends MethodName>(value: Output<M> | JsonBytes<Output<M>>): Output<M> {
  return value instanceof JsonBytes ? (JSON.parse(new TextDecoder().decode(value.bytes)) as Output<M>) : value;
}

function refuseRevoked({ isValid }: Caller): void {
  if (!isValid()) throw new OwnerError('unauthorized', '');
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}
