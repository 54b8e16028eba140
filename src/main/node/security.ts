import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { hostPort } from '../../shared/host-port.ts';
import type { RefusalCause, SecurityView } from '../../shared/owner-api/security.ts';
import { AuditReader, filtered } from '../audit/audit-reader.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { KEYSTORE_FILE } from '../care/node-files.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { Door } from '../door/door.ts';
import type { LocalListener } from '../http/listeners/local-listener.ts';
import type { AuditMethod, Handlers } from '../owner/handlers.ts';
import { UI_TOKEN_FILE } from '../owner/page/ui-token.ts';
import type { Settings } from '../settings/settings.ts';
import type { Gate } from './gate.ts';
import type { Listeners } from './listeners.ts';
import type { Part } from './part.ts';

const HOUR_MS = 3_600_000;
const TOLD_HOURS = 24;
const NEWEST = 6;

type Listener = SecurityView['listeners'][number];
type ListenerName = Listener['name'];

export interface SecurityDependencies {
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly events: NodeEvents;
  readonly settings: () => Settings;
  readonly listeners: () => Listeners;
  readonly local: () => LocalListener;
  readonly gate: Gate;
  readonly door: Door;
  readonly bridge: Bridge;
  readonly exposedAt: () => readonly string[];
}

interface Refused {
  readonly cause: RefusalCause;
  readonly listener: ListenerName | null;
  /** Counts by hour, in hours since 1970. */
  readonly byHour: Map<number, number>;
  lastAt: number;
}

/**
 * Collects for the owner the listeners with the time of their last change, and the requests that were refused within a
 * day.
 */
export class Security implements Part {
  readonly name = 'security';
  readonly #dependencies: SecurityDependencies;
  readonly #reader: AuditReader;
  readonly #refused = new Map<string, Refused>();
  readonly #since = new Map<ListenerName, { readonly standing: string; readonly at: number }>();
  #stops: (() => void)[] = [];

  constructor(dependencies: SecurityDependencies) {
    this.#dependencies = dependencies;
    this.#reader = new AuditReader({ path: dependencies.dataDir, log: dependencies.log });
  }

  start(): void {
    const { events } = this.#dependencies;
    const look = () => this.#lookAtListeners();
    this.#stops = [
      events.on('turnedAway', ({ listener, cause }) => this.#count(cause, listener, 1)),
      events.on('refused', ({ store, blocks }) => {
        for (const [cause, ours] of [
          ['device_not_found', 'unknown_device'],
          ['invalid_signature', 'invalid_signature'],
        ] as const) {
          const count = blocks.filter((block) => block.cause === cause).length;
          if (count > 0) this.#count(ours, store === 'public' ? 'public' : null, count);
        }
      }),
      events.on('listenersChanged', look),
      events.on('gateChanged', look),
      events.on('doorChanged', look),
      events.on('connectionsChanged', look),
    ];
    look();
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** The handlers for the audit log and for security. */
  get handlers(): Handlers<AuditMethod> {
    return {
      auditLog: async (filter) => {
        const checked = await this.#reader.read();
        return { ...filtered(checked, filter), kept: checked.lines.length, isWhole: checked.breaks.length === 0 };
      },
      tellKeysExported: () => ({}),
      security: () => this.#view(),
    };
  }

  /** Returns the address of each listener for the log; null if it does not listen. */
  addresses(): Readonly<Record<ListenerName, string | null>> {
    const found = this.#standings().map(({ name, state, address }) => [name, state === 'listening' ? address : null]);
    return Object.fromEntries(found) as Record<ListenerName, string | null>;
  }

  async #view(): Promise<SecurityView> {
    const { clock, door, gate, settings, local, exposedAt, dataDir } = this.#dependencies;
    const checked = await this.#reader.read();
    return {
      now: Math.round(clock.now()),
      listeners: this.#lookAtListeners(),
      pairings: door.pairings.all.map(({ id, name, role, kind, lastUsedAt, lastAddress }) => ({
        ...{ id, name, role, kind, lastAddress },
        lastUsedAt: lastUsedAt === null ? null : Math.round(lastUsedAt),
      })),
      doorKeys: door.pairings.keys.length,
      isCodeOpen: door.openPairing.state !== null,
      isJoiningOpen: gate.joining.state.leftMs !== null,
      linkMadeAt: writtenAt(join(dataDir, UI_TOKEN_FILE)),
      hasReadToken: settings().localReadToken !== null,
      keysChangedAt: writtenAt(join(dataDir, KEYSTORE_FILE)),
      refused: this.#refusedLately(),
      overBudget: gate.overBudget.length,
      hosts: local().hosts.all.map((host) => ({
        ...host,
        firstAt: Math.round(host.firstAt),
        lastAt: Math.round(host.lastAt),
      })),
      exposedAt: [...exposedAt()],
      isLogWhole: checked.breaks.length === 0,
      newest: filtered(checked, { kinds: null, by: null, before: null, limit: NEWEST }).entries,
    };
  }

  #standings(): Omit<Listener, 'since'>[] {
    const { listeners, gate, door, bridge } = this.#dependencies;
    const { urls } = listeners();
    const ofUrl = (name: 'local' | 'public') => {
      const url = urls[name];
      return {
        name,
        state: url === null ? ('off' as const) : ('listening' as const),
        address: url && new URL(url).host,
      };
    };
    const ofStanding = (name: 'gate' | 'door', standing: Gate['standing'] | Door['standing']) => ({
      ...{ name, state: standing.state },
      address: standing.state === 'off' ? null : hostPort(standing.address, standing.port),
    });
    const { state, url } = bridge.metrics;
    return [
      ...[ofUrl('local'), ofUrl('public'), ofStanding('gate', gate.standing), ofStanding('door', door.standing)],
      { name: 'metrics', state, address: url && new URL(url).host },
    ];
  }

  #lookAtListeners(): Listener[] {
    const now = Math.round(this.#dependencies.clock.now());
    return this.#standings().map((each) => {
      const standing = `${each.state} ${each.address}`;
      const known = this.#since.get(each.name);
      const since = known?.standing === standing ? known : { standing, at: now };
      this.#since.set(each.name, since);
      return { ...each, since: since.at };
    });
  }

  #count(cause: RefusalCause, listener: ListenerName | null, count: number): void {
    const now = this.#dependencies.clock.now();
    const key = `${listener} ${cause}`;
    const refused = this.#refused.get(key) ?? { cause, listener, byHour: new Map<number, number>(), lastAt: now };
    this.#refused.set(key, refused);
    const hour = Math.floor(now / HOUR_MS);
    refused.byHour.set(hour, (refused.byHour.get(hour) ?? 0) + count);
    refused.lastAt = now;
    for (const each of refused.byHour.keys()) if (each <= hour - TOLD_HOURS) refused.byHour.delete(each);
  }

  #refusedLately(): SecurityView['refused'] {
    const oldest = Math.floor(this.#dependencies.clock.now() / HOUR_MS) - TOLD_HOURS;
    const found = [...this.#refused.values()].map(({ cause, listener, byHour, lastAt }) => ({
      ...{ cause, listener, lastAt: Math.round(lastAt) },
      count: [...byHour].reduce((sum, [hour, count]) => (hour > oldest ? sum + count : sum), 0),
    }));
    return found.filter(({ count }) => count > 0).sort((a, b) => b.lastAt - a.lastAt);
  }
}

/** Returns the time of a file's last write in Unix milliseconds; null if it does not exist. */
function writtenAt(path: string): number | null {
  try {
    return Math.round(statSync(path).mtimeMs);
  } catch {
    return null;
  }
}
