import type { Logger } from 'pino';
import { demoDeviceIds } from '../../shared/demo-keys.ts';
import type { Answer, Input, MethodName, NodeInfo, Output } from '../../shared/owner-api.ts';
import { isSettingsMethod, type SettingsMethod } from '../../shared/owner-settings.ts';
import type { Destination } from '../../shared/protocol/codes.ts';
import type { UnregisteredDevices } from '../ingest/unregistered-devices.ts';
import type { OwnerStorePaths, StoreName } from '../store/owner-stores.ts';
import type { Store } from '../store/store.ts';
import { ownAddresses } from './addresses.ts';
import { answerCall, type JsonAnswer } from './answer.ts';
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
  /** The stores and where they lie; the public one may come later. */
  readonly store: (name: StoreName) => Store | null;
  readonly paths: () => OwnerStorePaths;
  /** Of the endpoints that listen, as they do at each call. */
  readonly unregistered: ReadonlyMap<Destination, UnregisteredDevices>;
  readonly events: OwnerEvents;
  readonly demo: DemoDevices;
  readonly settingsCalls: SettingsCalls;
}

/** Runs a settings method on an input that fits the contract; resolves with its value. Rejects with OwnerError. */
export type SettingsCalls = (method: SettingsMethod, input: unknown) => Promise<unknown>;

/** Bounds how long one step of forgetting holds up the readings that come in meanwhile: some milliseconds. */
const FORGET_AT_ONCE = 500;

/** Implements the owner's contract over both stores, for any transport. */
export class OwnerService {
  readonly #parts: OwnerServiceParts;
  #queries: QueryThread;
  #paths: OwnerStorePaths;
  #localUrl: string | null = null;
  readonly #keystore: KeystoreFile;
  readonly #forgetting = new Set<string>();
  #forgotten: string[] = [];
  #isStopping = false;

  constructor(parts: OwnerServiceParts) {
    this.#parts = parts;
    this.#keystore = new KeystoreFile(parts.nodeInfo().dataDir);
    this.#paths = parts.paths();
    this.#queries = this.#queryThread();
  }

  /** To be called when somebody opens the page: its first call then finds the stores open. */
  warmUp(): void {
    if (!this.#isStopping) this.#queries.warmUp();
  }

  /** Answers a call as it came over a transport: nothing about it is trusted. Never rejects. */
  callJson(method: string, input: unknown): Promise<JsonAnswer> {
    return answerCall(this.#parts.log, method, input, (name, checked) => this.#run(name, checked));
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

  /** To be called when settings, or what is shown of them, changed. */
  settingsChanged(): void {
    this.#parts.events.settingsChanged();
  }

  /** To be called when endpoints listen elsewhere, or no longer: what depends on where they are follows. */
  async endpointsChanged(): Promise<void> {
    const { paths, demo, nodeInfo, events, log } = this.#parts;
    events.settingsChanged();
    if (paths().public !== this.#paths.public) {
      this.#paths = paths();
      const before = this.#queries;
      this.#queries = this.#queryThread();
      await before.close();
      events.devicesChanged();
    }
    if (!demo.isRunning || nodeInfo().localUrl === this.#localUrl) return;
    await demo.stop();
    // Who asked for another port did not ask for demo devices: they may fail without it failing.
    await this.#startDemo().catch((error: unknown) => log.error({ err: error }, 'demo devices failed'));
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
        return JSON.stringify({
          ...this.#parts.nodeInfo(),
          addresses: ownAddresses().map(({ address }) => address),
        } satisfies NodeInfo);
      case 'setNotes':
        return JSON.stringify(await this.#setNotes(input as Input<'setNotes'>));
      case 'forgetDevice':
        return JSON.stringify(await this.#forget(input as Input<'forgetDevice'>));
      case 'readKeystore':
        return JSON.stringify(await this.#keystore.read());
      case 'writeKeystore':
        return JSON.stringify(await this.#keystore.write(input as Input<'writeKeystore'>));
      case 'startDemo':
        await this.#startDemo();
        return '{}';
      case 'stopDemo':
        return JSON.stringify(await this.#stopDemo());
      default:
        if (isSettingsMethod(method)) return JSON.stringify(await this.#parts.settingsCalls(method, input));
        return this.#queries.ask(method satisfies QueryName, input, this.#context());
    }
  }

  #queryThread(): QueryThread {
    return new QueryThread({ paths: this.#paths, nodePublicKey: this.#parts.nodeInfo().publicKey }, this.#parts.log);
  }

  async #startDemo(): Promise<void> {
    this.#localUrl = this.#parts.nodeInfo().localUrl;
    await this.#parts.demo.start(this.#parts.nodeInfo());
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
    const { store, events } = this.#parts;
    if (!this.#isKnown(id)) throw new OwnerError('not_found', 'no store knows this device');
    await store('private')!.note(id, notes);
    events.devicesChanged();
    return notes;
  }

  async #forget({ id, store: name, confirm }: Input<'forgetDevice'>): Promise<Output<'forgetDevice'>> {
    const { events } = this.#parts;
    if (confirm !== id) throw new OwnerError('invalid_input', 'confirm: does not repeat the id');
    const store = this.#parts.store(name);
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
      if (!this.#isKnown(id)) await this.#parts.store('private')!.note(id, null);
    } finally {
      this.#forgetting.delete(key);
      this.#forgotten.push(id);
      events.devicesChanged();
    }
    return { readings };
  }

  /** Ends the demo and forgets its devices, also those of an earlier start; they register at the local endpoint alone. */
  async #stopDemo(): Promise<Output<'stopDemo'>> {
    const { demo, nodeInfo, store } = this.#parts;
    await demo.stop();
    for (const id of demoDeviceIds(nodeInfo().publicKey)) {
      if (store('private')?.devices.find(id) === undefined) continue;
      await this.#forget({ id, store: 'private', confirm: id });
    }
    return {};
  }

  #isKnown(id: string): boolean {
    const names: readonly StoreName[] = ['private', 'public'];
    return names.some((name) => this.#parts.store(name)?.devices.find(id) !== undefined);
  }
}
