import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import type { ClockInfo } from '../../shared/owner-api/node.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile } from '../state-files/state-file.ts';
import { CLOCK_FILE, type ClockDocument, type Shift } from './clock-file.ts';
import {
  type ClockNews,
  ClockRule,
  EARLIEST_MS,
  type Followed,
  firstState,
  KNOWN_AFTER_MS,
  type Look,
  STEP_MS,
} from './clock-rule.ts';
import { MACHINE_CLOCKS, type MachineClocks } from './machine-clocks.ts';

const LOOK_EVERY_MS = 1000;
/** The largest usual difference between the clocks in one interval; more is a step, or a sleep. */
const SLACK_MS = 1000;
/** The latest known time is saved this often; a power cut loses at most this much of it. */
const KEEP_MARK_EVERY_MS = 3_600_000;
/** The number of corrections that are stored per boot: a clock that is set more often is beyond help. */
const MAX_SHIFTS = 50;
const LARGEST_CLOCK = 2 ** 31 - 1;

export interface NodeClockDependencies {
  /** The data folder. */
  readonly folder: { readonly path: string };
  readonly events: NodeEvents;
  readonly log: Logger;
  readonly machine?: MachineClocks;
}

/**
 * The node's time: the machine's time, except while that was just set or is not set yet (see ClockRule). This part
 * checks the clocks every second, emits `clockMoved` when arrivals must be moved, and writes only changes.
 */
export class NodeClock implements ArrivalClock {
  readonly name = 'clock';
  readonly #dependencies: NodeClockDependencies;
  readonly #machine: MachineClocks;
  #file: StateFile<typeof CLOCK_FILE.schema> | null = null;
  #rule: ClockRule | null = null;
  #shifts: Shift[] = [];
  #lastStep: ClockInfo['lastStep'] = null;
  /** The lead of the wall clock over the steady one. */
  #ahead = Number.NaN;
  #savedMark = 0;
  #isWritable = true;
  #timer: NodeJS.Timeout | null = null;
  #endCounts = () => {};

  constructor(dependencies: NodeClockDependencies) {
    this.#dependencies = dependencies;
    this.#machine = dependencies.machine ?? MACHINE_CLOCKS;
  }

  /** Returns the node's time in Unix milliseconds. */
  now(): number {
    if (this.#rule === null) return this.#machine.wall();
    if (this.#hasJumped) this.look();
    return Math.round(this.#machine.wall() + this.#rule.state.lead);
  }

  /** Returns milliseconds of a monotonic clock. */
  steady(): number {
    return this.#machine.steady();
  }

  /** Calls `run` once after `ms` steady milliseconds; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  }

  arrival(): { readonly receivedAt: number; readonly clock: number } {
    const receivedAt = this.now();
    return { receivedAt, clock: this.#rule?.state.clock ?? 0 };
  }

  /** Whether the time counts as right. */
  get isKnown(): boolean {
    return this.#rule?.state.clock === 0;
  }

  /**
   * Whether the time is known, or nobody has set the machine's clock for an hour: without a network it may never be
   * known.
   */
  get isSteady(): boolean {
    if (this.#rule === null || this.isKnown) return this.isKnown;
    const { lead, steadySince } = this.#rule.state;
    const isFollowed = lead === 0 && this.#machine.wall() >= EARLIEST_MS;
    return isFollowed && this.#machine.uptime() - steadySince >= KNOWN_AFTER_MS;
  }

  /** The corrections of this boot, oldest first, for stores that have not applied them yet. */
  get shifts(): readonly Shift[] {
    return this.#shifts;
  }

  /** The state of the clock, for the owner. */
  get info(): ClockInfo {
    if (this.#rule === null) return { state: 'unsure', aheadMs: 0, lastStep: null };
    const { lead, clock, knownLead } = this.#rule.state;
    const isUnset = this.#machine.wall() < EARLIEST_MS || (knownLead === null && lead > STEP_MS);
    const ofDoubt = isUnset ? 'unset' : Math.abs(lead) > STEP_MS ? 'held' : 'unsure';
    return { state: clock === 0 ? 'known' : ofDoubt, aheadMs: Math.round(lead), lastStep: this.#lastStep };
  }

  start(): void {
    const { events } = this.#dependencies;
    const look = this.#look();
    const { folder, log } = this.#dependencies;
    this.#file = openStateFile(CLOCK_FILE, { path: folder.path, log, now: () => this.#machine.wall() });
    const left = this.#file.read();
    const isSameBoot = left !== null && this.#isSameBoot(left, look);
    const state = isSameBoot ? left.state : firstState(look, left?.state.mark ?? 0, newClock);
    if (isSameBoot) {
      this.#shifts = left.shifts;
      this.#lastStep = left.lastStep;
    }
    this.#rule = new ClockRule(state, newClock);
    this.#ahead = look.wall - this.#machine.steady();
    if (!isSameBoot) this.#save();
    if (state.lead > STEP_MS) {
      log.warn(
        { behindMs: state.lead },
        'the clock of this machine is behind the time that was known: it is not set yet',
      );
    }
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    // The write goes with other writes, so that an idle machine can keep its disk asleep.
    this.#endCounts = events.on('countsChanged', () => this.#keepMark());
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#endCounts();
    if (this.isKnown) this.#save();
  }

  /** Compares the clocks. A timer calls it every second. */
  look(): void {
    const rule = this.#rule;
    if (rule === null) return;
    const look = this.#look();
    this.#ahead = look.wall - this.#machine.steady();
    const news = rule.look(look);
    if (news.length === 0) return;
    for (const each of news) this.#take(each);
    this.#save();
    for (const each of news) if (each.kind === 'followed') this.#tellMoved(each);
    this.#dependencies.events.emit('clockChanged', () => ({}));
  }

  get #hasJumped(): boolean {
    return Math.abs(this.#machine.wall() - this.#machine.steady() - this.#ahead) > SLACK_MS;
  }

  #look(): Look {
    const machine = this.#machine;
    return { wall: machine.wall(), uptime: machine.uptime(), isSynchronised: machine.isSynchronised() };
  }

  /** Returns whether the stored state is from this boot. If the system has no boot id, the uptime decides. */
  #isSameBoot({ boot, uptime, state }: ClockDocument, look: Look): boolean {
    if (this.#machine.boot !== null) return boot === this.#machine.boot;
    return boot === null && look.uptime >= uptime && Math.abs(look.wall - look.uptime - state.offset) <= STEP_MS;
  }

  #take(news: ClockNews): void {
    const { log } = this.#dependencies;
    const at = Math.round(this.#machine.wall() + this.#rule!.state.lead);
    if (news.kind === 'stepped') {
      this.#lastStep = { at, by: Math.round(news.by) };
      log.warn({ byMs: Math.round(news.by) }, 'the clock of this machine was set');
    } else if (news.kind === 'followed') {
      const { clock, next, by, from, to } = news;
      this.#shifts = [...this.#shifts, { clock, next, by: Math.round(by), from, to, at }].slice(-MAX_SHIFTS);
      log.warn({ byMs: Math.round(by), from, to }, 'the node follows the new time: times of arrival are corrected');
    } else log.info('the clock is known to be right');
  }

  #tellMoved({ by, from, to }: Followed): void {
    this.#dependencies.events.emit('clockMoved', () => ({ by: Math.round(by), from, to }));
  }

  #keepMark(): void {
    if (this.isKnown && this.#rule!.state.mark - this.#savedMark >= KEEP_MARK_EVERY_MS) this.#save();
  }

  #save(): void {
    const { state } = this.#rule!;
    const document: ClockDocument = {
      version: 1,
      boot: this.#machine.boot,
      uptime: this.#machine.uptime(),
      state,
      shifts: this.#shifts,
      lastStep: this.#lastStep,
    };
    try {
      this.#file?.writeSync(document);
      this.#savedMark = state.mark;
      this.#isWritable = true;
    } catch (error) {
      // The disk may be full; the time stays right until the next start.
      if (this.#isWritable) this.#dependencies.log.warn({ err: error }, 'the state of the clock could not be written');
      this.#isWritable = false;
    }
  }
}

function newClock(): number {
  return randomInt(1, LARGEST_CLOCK);
}
