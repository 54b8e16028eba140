import { pino } from 'pino';
import { MessageDesk } from '../../src/main/alerts/outbox/message-desk.ts';
import { NO_ALERTS } from '../../src/main/alerts/state/document.ts';
import { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap, ShownNotice } from '../../src/main/common/node-events.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import { type AlertOptions, type ChannelConfig, NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import type { GeneralUnits } from '../../src/shared/measures/field-scale.ts';
import type { ChannelState } from '../../src/shared/owner-api/alerts.ts';
import type { Language } from '../../src/shared/texts/languages.ts';
import { AT } from './alert-notices.ts';
import { FakeClock } from './fake-clock.ts';
import { removeFolder, temporaryFolder } from './node-process.ts';

/** Message desks with channels of the desktop, and the only view, which shows their messages. */
export class DeskWorld {
  readonly folder = temporaryFolder();
  readonly clock = new FakeClock(AT);
  /** The lines of the log. */
  readonly logged: Record<string, unknown>[] = [];
  options: AlertOptions = NO_OPTIONS;
  language: Language | null = 'en';
  units: GeneralUnits = {};
  /** The present state of every alert. */
  live: Alert | null = null;
  /** The number of changes of what the owner sees. */
  changes = 0;
  /** Whether the view can show notices, and those that it got. */
  shows = true;
  readonly shown: ShownNotice[] = [];
  readonly #desks: MessageDesk[] = [];

  /** Makes a desk without a state, and its events. */
  make(timeZone: { timeZone?: string } = { timeZone: 'UTC' }): [MessageDesk, EventBus<NodeEventMap>] {
    const write = (line: string) => void this.logged.push(JSON.parse(line));
    const log = pino({ base: null, timestamp: false }, { write });
    const events = new EventBus<NodeEventMap>(log);
    const desk = new MessageDesk({
      ...{ log, clock: this.clock, events, ...timeZone, persist: async () => true },
      ...{ options: () => this.options, language: () => this.language, units: () => this.units },
      liveAlert: () => this.live,
      onChange: () => {
        this.changes += 1;
      },
    });
    this.#desks.push(desk);
    return [desk, events];
  }

  /** Opens a desk as at a start, with the state of an earlier one, and a view. */
  open(kept: MessageDesk['kept'] = NO_ALERTS, timeZone?: { timeZone?: string }): MessageDesk {
    const [desk, events] = this.make(timeZone);
    desk.restore(this.folder, JSON.parse(JSON.stringify(kept)), true);
    desk.start();
    events.on('noticed', (notice) => {
      this.shown.push(notice);
      desk.noticeShown(notice.id, this.shows);
    });
    return desk;
  }

  /** Lets time pass. */
  pass(ms: number): Promise<void> {
    return this.clock.pass(ms, settled);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#desks.map((desk) => desk.stop()));
    removeFolder(this.folder);
  }
}

/** Waits until running work has ended. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Adds a channel of the desktop, or another one. */
export function addChannel(desk: MessageDesk, change: Partial<ChannelConfig> = {}): Promise<ChannelState> {
  const target = { kind: 'desktop' } as const;
  return desk.write({ name: '', isOn: true, maxPerHour: 20, withoutValues: false, target, ...change, id: null }, {});
}
