import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AuditDetails } from '../../shared/owner-api/audit.ts';
import { clientKey } from '../common/client-key.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEventMap, NodeEvents } from '../common/node-events.ts';
import { VERSION } from '../common/version.ts';
import { closeToOthers } from '../state-files/text-file.ts';
import { AUDIT_FILE, AuditLog, BY_NODE, type Deed, OLDER_FILE } from './audit-log.ts';

/** The first wrong code is recorded at once, those of the next ten minutes together. */
const SUM_MS = 10 * 60_000;

export interface AuditDependencies {
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly events: NodeEvents;
  /** Returns the node's listeners, for the entry of its start. */
  readonly listening: () => AuditDetails;
}

/**
 * Keeps the audit log of a node: the owner's actions, accepted and refused clients, and the node's starts and stops.
 */
export class Audit {
  readonly name = 'audit';
  /** Start it last and stop it first: a failed start does not count. */
  readonly whileRunning = {
    name: 'audit log',
    start: () => this.#started(),
    stop: () => this.record({ who: BY_NODE, from: null, kind: 'node_stopped' }),
  };
  readonly #dependencies: AuditDependencies;
  readonly #log: AuditLog;
  readonly #wrong = new Map<string, number>();
  #sumTimer: NodeJS.Timeout | null = null;
  #stops: (() => void)[] = [];

  constructor(dependencies: AuditDependencies) {
    this.#dependencies = dependencies;
    this.#log = new AuditLog({
      path: dependencies.dataDir,
      log: dependencies.log,
      now: () => dependencies.clock.now(),
    });
  }

  /** Adds an entry (see AuditLog). */
  record(deed: Deed): Promise<void> {
    return this.#log.record(deed);
  }

  start(): void {
    const { dataDir, events } = this.#dependencies;
    for (const name of [AUDIT_FILE, OLDER_FILE]) closeToOthers(join(dataDir, name));
    this.#stops = [
      events.on('letIn', (letIn) => this.#letIn(letIn)),
      events.on('turnedAway', ({ cause, address }) => {
        if (cause === 'wrong_code' || cause === 'wrong_key') this.#wrongCode(address);
      }),
    ];
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    this.#tellSum();
    await this.#log.settled();
  }

  #started(): Promise<void> {
    const kind = this.#log.wasCutOff ? 'node_restarted' : 'node_started';
    return this.record({
      who: BY_NODE,
      from: null,
      kind,
      details: { version: VERSION, ...this.#dependencies.listening() },
    });
  }

  #letIn({ id, name, kind, role, ownerKey, address }: NodeEventMap['letIn']): void {
    const who = { by: kind === 'key' ? ('key' as const) : ('pairing' as const), name, id };
    const deed: Deed =
      ownerKey === null
        ? { who, from: address, kind: 'paired', details: { name, role, as: kind } }
        : { who, from: address, kind: 'key_entered', details: { key: ownerKey } };
    void this.record(deed);
  }

  #wrongCode(address: string): void {
    const key = clientKey(address);
    if (this.#sumTimer === null) {
      this.#tellWrong(1, [key]);
      this.#sumTimer = setTimeout(() => this.#tellSum(), SUM_MS).unref();
      return;
    }
    this.#wrong.set(key, (this.#wrong.get(key) ?? 0) + 1);
  }

  #tellSum(): void {
    if (this.#sumTimer !== null) clearTimeout(this.#sumTimer);
    this.#sumTimer = null;
    const count = [...this.#wrong.values()].reduce((sum, each) => sum + each, 0);
    if (count > 0) this.#tellWrong(count, [...this.#wrong.keys()]);
    this.#wrong.clear();
  }

  #tellWrong(count: number, addresses: string[]): void {
    const from = addresses.length === 1 ? addresses[0]! : null;
    void this.record({ who: BY_NODE, from, kind: 'wrong_codes', details: { count, addresses } });
  }
}
