import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { MachineClocks } from '../../src/main/clock/machine-clocks.ts';
import { NodeClock } from '../../src/main/clock/node-clock.ts';
import { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The machine's time at first. */
export const BEGIN = Date.UTC(2026, 5, 1);

/** A machine whose clocks the test controls. */
export class Machine implements MachineClocks {
  wallAt = BEGIN;
  up = HOUR;
  synchronised: boolean | null = true;
  boot: string | null = 'first';
  wall = () => this.wallAt;
  steady = () => this.up - HOUR + 0.25;
  uptime = () => this.up;
  isSynchronised = () => this.synchronised;

  pass(ms: number): void {
    this.wallAt += ms;
    this.up += ms;
  }

  /** Restarts the machine after `offMs`. */
  startAgain(offMs: number): void {
    this.wallAt += offMs;
    this.up = MINUTE;
    this.boot = 'second';
  }
}

/** The clock of a node on such a machine, in a folder of its own, with its log and its events. */
export class ClockUnderTest {
  readonly folder = mkdtempSync(join(tmpdir(), 'wellhouse-clock-'));
  readonly machine = new Machine();
  /** The messages of the log, and what else each line has. */
  logged: string[] = [];
  readonly details: object[] = [];
  moved: NodeEventMap['clockMoved'][] = [];
  /** The number of `clockChanged` events. */
  changes = 0;
  events!: EventBus<NodeEventMap>;
  clock!: NodeClock;

  constructor() {
    this.#make();
  }

  /** Starts a process of the node. */
  start(): void {
    this.#make();
    this.clock.start();
  }

  /** Starts a process whose clock is known to be right. */
  startKnown(): void {
    this.start();
    this.machine.pass(HOUR);
    this.clock.look();
    if (!this.clock.isKnown) throw new Error('the clock is not known after an hour');
  }

  /** Restarts the process in the same boot. */
  restart(): void {
    this.clock.stop();
    this.start();
  }

  /** The path of the clock's file. */
  get file(): string {
    return join(this.folder, 'clock.json');
  }

  /** Returns the content of the clock's file. */
  kept() {
    return JSON.parse(readFileSync(this.file, 'utf8'));
  }

  end(): void {
    this.clock.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #make(): void {
    const write = (line: string) => {
      const { msg, level, time, pid, hostname, ...more } = JSON.parse(line);
      this.logged.push(msg);
      this.details.push(more);
    };
    const log = pino({ level: 'info' }, { write });
    this.events = new EventBus<NodeEventMap>(log);
    this.moved = [];
    this.changes = 0;
    this.events.on('clockMoved', (move) => void this.moved.push(move));
    this.events.on('clockChanged', () => {
      this.changes += 1;
    });
    const { folder, events, machine } = this;
    this.clock = new NodeClock({ folder: { path: folder }, events, log, machine });
  }
}
