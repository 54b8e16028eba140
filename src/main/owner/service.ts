import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { demoDeviceIds } from '../../shared/demo-keys.ts';
import {
  type Answer,
  type Input,
  METHODS,
  type MethodName,
  type NodeInfo,
  type Output,
  type OwnerErrorCode,
} from '../../shared/owner-api.ts';
import type { Destination } from '../../shared/protocol/codes.ts';
import type { UnregisteredDevices } from '../ingest/unregistered-devices.ts';
import type { OwnerStorePaths, StoreName } from '../store/owner-stores.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import type { Store } from '../store/store.ts';
import type { DemoDevices } from './demo.ts';
import type { OnEvent, OwnerEvents } from './events.ts';
import { KeystoreFile } from './keystore.ts';
import { OwnerError } from './owner-error.ts';
import type { QueryContext, QueryName } from './queries.ts';
import { QueryThread } from './query-thread.ts';

/** What the service is made of. */
export interface OwnerServiceParts {
  readonly log: Logger;
  /** Asked at each call: addresses are known once the endpoints listen. */
  readonly nodeInfo: () => Omit<NodeInfo, 'addresses'>;
  readonly stores: Readonly<Record<StoreName, Store | null>>;
  readonly paths: OwnerStorePaths;
  /** Of the endpoints that run. */
  readonly unregistered: ReadonlyMap<Destination, UnregisteredDevices>;
  readonly events: OwnerEvents;
  readonly demo: DemoDevices;
}

/** An answer with its value written as JSON already. */
export type JsonAnswer =
  | { readonly ok: true; readonly json: Uint8Array | string }
  | { readonly ok: false; readonly error: OwnerErrorCode; readonly details?: string };

/** Bounds how long one step of forgetting holds up the readings that come in meanwhile: some milliseconds. */
const FORGET_AT_ONCE = 500;

/** Implements the owner's contract over both stores, for any transport. */
export class OwnerService {
  readonly #parts: OwnerServiceParts;
  readonly #queries: QueryThread;
  readonly #keystore: KeystoreFile;
  readonly #forgetting = new Set<string>();
  #forgotten: string[] = [];
  #isStopping = false;

  constructor(parts: OwnerServiceParts) {
    this.#parts = parts;
    this.#keystore = new KeystoreFile(parts.nodeInfo().dataDir);
    this.#queries = new QueryThread({ paths: parts.paths, nodePublicKey: parts.nodeInfo().publicKey }, parts.log);
  }

  /** To be called when somebody opens the page: its first call then finds the stores open. */
  warmUp(): void {
    if (!this.#isStopping) this.#queries.warmUp();
  }

  /** Answers a call as it came over a transport: nothing about it is trusted. Never rejects. */
  async callJson(method: string, input: unknown): Promise<JsonAnswer> {
    try {
      if (!Object.hasOwn(METHODS, method)) throw new OwnerError('unknown_method', 'no such method');
      const name = method as MethodName;
      const checked = METHODS[name].input.safeParse(input);
      if (!checked.success) {
        const [issue] = checked.error.issues;
        throw new OwnerError('invalid_input', `${issue?.path.join('.') || 'input'}: ${issue?.message}`);
      }
      return { ok: true, json: await this.#run(name, checked.data) };
    } catch (error) {
      if (error instanceof OwnerError) {
        return { ok: false, error: error.code, ...(error.message === '' ? {} : { details: error.message }) };
      }
      if (isStorageFault(error)) return { ok: false, error: 'storage_unavailable' };
      this.#parts.log.error({ err: error, method }, 'an owner call failed');
      return { ok: false, error: 'internal_error' };
    }
  }

  /** Like `callJson`, for a transport that carries values. */
  async call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M>> {
    const answer = await this.callJson(method, input);
    if (!answer.ok) return answer;
    const text = typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json);
    return { ok: true, value: JSON.parse(text) as Output<M> };
  }

  /** Listens to events; returns what ends it. */
  listen(onEvent: OnEvent): () => void {
    return this.#parts.events.listen(onEvent);
  }

  /** To be called when a stop begins: long work is broken off, so that the stop need not wait for it. */
  stopSoon(): void {
    this.#isStopping = true;
  }

  async close(): Promise<void> {
    this.stopSoon();
    this.#parts.events.close();
    await this.#parts.demo.terminate();
    await this.#queries.close();
    await this.#keystore.settled();
  }

  async #run(method: MethodName, input: unknown): Promise<Uint8Array | string> {
    switch (method) {
      case 'nodeInfo':
        return JSON.stringify({ ...this.#parts.nodeInfo(), addresses: ownAddresses() } satisfies NodeInfo);
      case 'setNotes':
        return JSON.stringify(await this.#setNotes(input as Input<'setNotes'>));
      case 'forgetDevice':
        return JSON.stringify(await this.#forget(input as Input<'forgetDevice'>));
      case 'readKeystore':
        return JSON.stringify(await this.#keystore.read());
      case 'writeKeystore':
        return JSON.stringify(await this.#keystore.write(input as Input<'writeKeystore'>));
      case 'startDemo':
        await this.#parts.demo.start(this.#parts.nodeInfo());
        return '{}';
      case 'stopDemo':
        return JSON.stringify(await this.#stopDemo());
      default:
        return this.#queries.ask(method satisfies QueryName, input, this.#context());
    }
  }

  #context(): QueryContext {
    const { events, unregistered, demo } = this.#parts;
    const forgotten = this.#forgotten;
    this.#forgotten = [];
    return {
      unregistered: new Map([...unregistered].map(([endpoint, devices]) => [endpoint, devices.list()])),
      arrivals: events.takeArrivals(),
      forgotten,
      demo: demo.isRunning,
      now: Date.now(),
    };
  }

  async #setNotes({ id, notes }: Input<'setNotes'>): Promise<Output<'setNotes'>> {
    const { stores, events } = this.#parts;
    if (!this.#isKnown(id)) throw new OwnerError('not_found', 'no store knows this device');
    await stores.private!.note(id, notes);
    events.devicesChanged();
    return notes;
  }

  async #forget({ id, store: name, confirm }: Input<'forgetDevice'>): Promise<Output<'forgetDevice'>> {
    const { stores, events } = this.#parts;
    if (confirm !== id) throw new OwnerError('invalid_input', 'confirm: does not repeat the id');
    const store = stores[name];
    const device = store?.devices.find(id);
    if (store == null || device === undefined) throw new OwnerError('not_found', 'this store does not know the device');
    const key = `${name} ${id}`;
    if (this.#forgetting.has(key)) throw new OwnerError('conflict', 'the device is being forgotten already');
    this.#forgetting.add(key);
    let readings = 0;
    try {
      for (let isDone = false; !isDone; ) {
        // What was deleted by then is gone; the device itself stays, to be forgotten another time.
        if (this.#isStopping) throw new OwnerError('storage_unavailable', 'the node is stopping');
        const step = await store.forget(device, FORGET_AT_ONCE);
        readings += step.readings;
        isDone = step.isDone;
      }
      if (!this.#isKnown(id)) await stores.private!.note(id, null);
    } finally {
      this.#forgetting.delete(key);
      this.#forgotten.push(id);
      events.devicesChanged();
    }
    return { readings };
  }

  /** Ends the demo and forgets its devices, also those of an earlier start; they register at the local endpoint alone. */
  async #stopDemo(): Promise<Output<'stopDemo'>> {
    const { demo, nodeInfo, stores } = this.#parts;
    await demo.stop();
    for (const id of demoDeviceIds(nodeInfo().publicKey)) {
      if (stores.private?.devices.find(id) === undefined) continue;
      await this.#forget({ id, store: 'private', confirm: id });
    }
    return {};
  }

  #isKnown(id: string): boolean {
    return Object.values(this.#parts.stores).some((store) => store?.devices.find(id) !== undefined);
  }
}

/** This machine's addresses on its networks, as other machines there reach it. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);
}
