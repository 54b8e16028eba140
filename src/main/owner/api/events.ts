import type { EventName, EventPayload } from '../../../shared/owner-api/events.ts';
import type { NodeEvents, ShownNotice } from '../../common/node-events.ts';

/** The interval between events: at most four of a kind a second, however much arrives. */
const GATHER_MS = 250;

/** Receives one event. */
export type OnEvent = <E extends EventName>(event: E, payload: EventPayload<E>) => void;

/**
 * Passes the node's events to the owner's view. It gathers them, so that any number of readings cause only a few
 * events. The first event after a quiet time is sent when the present turn of the event loop ends.
 */
export class OwnerEvents {
  readonly #listeners = new Set<OnEvent>();
  #touched = new Set<string>();
  #pending = new Set<EventName>();
  #notices: ShownNotice[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  readonly #node: NodeEvents;
  readonly #stops: (() => void)[];
  #stopNotices: (() => void) | null = null;

  constructor(node: NodeEvents) {
    this.#node = node;
    this.#stops = [
      node.on('stored', ({ readings }) => {
        for (const { deviceId } of readings) this.#touch(deviceId);
      }),
      node.on('arrivalsMoved', ({ deviceId }) => this.#touch(deviceId)),
      node.on('clockChanged', () => this.#plan('settings')),
      node.on('registered', () => this.#plan('devices')),
      node.on('forgotten', () => this.#plan('devices')),
      node.on('noted', () => this.#plan('devices')),
      node.on('chosen', () => this.#plan('choices')),
      node.on('journalChanged', () => this.#plan('journal')),
      node.on('storeOpened', () => this.#plan('devices')),
      node.on('countsChanged', () => this.#plan('attempts')),
      node.on('storeState', ({ refusal }) => {
        this.#plan('storage');
        if (refusal !== null) this.#plan('storageFault');
      }),
      node.on('alertsChanged', () => this.#plan('alerts')),
      node.on('backupsChanged', () => this.#plan('backups')),
      node.on('exportsChanged', () => this.#plan('exports')),
      node.on('gateChanged', () => this.#plan('gate')),
      node.on('doorChanged', () => this.#plan('door')),
      node.on('connectionsChanged', () => this.#plan('connections')),
      node.on('settingsChanged', () => this.#plan('settings')),
      node.on('listenersChanged', () => this.#plan('settings')),
      node.on('exposureChanged', () => this.#plan('settings')),
      node.on('nodesChanged', () => this.#plan('nodes')),
      // These events are gathered at their origin and bounded when they arrive.
      node.on('nodeSaid', (said) => {
        for (const listener of [...this.#listeners]) listener('nodeSaid', said);
      }),
    ];
  }

  /** Adds a listener. Returns a function that removes it. */
  listen(onEvent: OnEvent): () => void {
    this.#listeners.add(onEvent);
    // Listens only while there is a view that can show notices, because the sender checks whether anyone listens.
    this.#stopNotices ??= this.#node.on('noticed', (notice) => {
      this.#notices.push(notice);
      this.#plan('notice');
    });
    return () => {
      this.#listeners.delete(onEvent);
      if (this.#listeners.size === 0) this.#endNotices();
    };
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#listeners.clear();
    this.#endNotices();
  }

  #endNotices(): void {
    this.#stopNotices?.();
    this.#stopNotices = null;
    this.#notices = [];
  }

  #touch(id: string): void {
    if (this.#listeners.size === 0) return;
    this.#touched.add(id);
    this.#plan('readings');
  }

  #plan(event: EventName): void {
    if (this.#listeners.size === 0) return;
    this.#pending.add(event);
    this.#timer ??= setTimeout(() => this.#send(), Math.max(0, this.#sentAt + GATHER_MS - performance.now())).unref();
  }

  #send(): void {
    this.#timer = null;
    this.#sentAt = performance.now();
    const pending = this.#pending;
    const devices = [...this.#touched];
    const notices = this.#notices;
    this.#notices = [];
    this.#pending = new Set();
    this.#touched = new Set();
    for (const listener of [...this.#listeners]) {
      for (const event of pending) {
        if (event === 'nodeSaid') continue;
        if (event === 'readings') listener('readings', { devices });
        else if (event === 'notice') for (const notice of notices) listener('notice', notice);
        else listener(event, {});
      }
    }
  }
}
