import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type {
  AlertOptions,
  ChannelConfig,
  ChannelKindName,
  ChannelSecret,
  DigestSetting,
} from '../../../shared/alerts/channel.ts';
import { unitChoiceOf } from '../../../shared/measures/derived.ts';
import type { GeneralUnits } from '../../../shared/measures/field-scale.ts';
import type { ChannelState } from '../../../shared/owner-api/alerts.ts';
import { chooseLanguage, type Language } from '../../../shared/texts/languages.ts';
import { type Clock, SYSTEM_CLOCK } from '../../common/clock.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { ChannelList, type SecretChanges } from '../channels/channel-list.ts';
import { isPlain, openChannel } from '../channels/kinds.ts';
import type { Notice, NoticeFacts } from '../channels/notice.ts';
import { SecretsFile } from '../channels/secrets-file.ts';
import type { DigestFacts } from '../digest/facts.ts';
import type { News, NewsDesk } from '../news.ts';
import { wordsOf } from '../words/words.ts';
import type { KeptOutbox } from './delivery.ts';
import { Outbox } from './outbox.ts';
import type { OpenChannel } from './outbox-dependencies.ts';
import { ShownNotices } from './shown-notices.ts';

export interface MessageDeskDependencies {
  readonly log: Logger;
  readonly events: NodeEvents;
  readonly options: () => AlertOptions;
  /** The language in the settings; null for the language of the system. */
  readonly language: () => Language | null;
  /** Returns the present state of a live alert; null if it is no longer live. */
  readonly liveAlert: (id: string) => Alert | null;
  /** The owner's units for all devices. */
  readonly units: () => GeneralUnits;
  /** Writes `kept`. Resolves with true when it is on disk, or with false if it can't be written. */
  readonly persist: () => Promise<boolean>;
  readonly onChange: () => void;
  readonly clock?: Clock;
  readonly timeZone?: string;
}

/** The state of the messages that is saved between two runs. */
export interface KeptMessages {
  readonly channels: readonly ChannelConfig[];
  readonly outbox: KeptOutbox;
}

interface Restored {
  readonly channels: ChannelList;
  readonly outbox: Outbox;
  /**
   * Whether all channels were restored: then missing ones were deleted by the owner and not lost with a damaged file.
   */
  readonly isWhole: boolean;
}

/**
 * The longest text of a summary, in bytes. The channel would cut longer ones, and nobody reads them in a notification.
 */
const MOST_BYTES: Readonly<Record<ChannelKindName, number>> = {
  ...{ ntfy: 3500, telegram: 3500, desktop: 500 },
  ...{ email: Number.POSITIVE_INFINITY, webhook: Number.POSITIVE_INFINITY },
};

type WrittenChannel = Omit<ChannelConfig, 'id'> & { readonly id: string | null };

/** Sends news to the owner's channels: manages their settings, the waiting messages, and the words. */
export class MessageDesk implements NewsDesk {
  readonly #dependencies: MessageDeskDependencies;
  readonly #clock: Clock;
  readonly #shown: ShownNotices;
  /** Created when it is needed: the first call loads megabytes. */
  #placeOfSystem: Intl.ResolvedDateTimeFormatOptions | null = null;
  #restored: Restored | null = null;

  constructor(dependencies: MessageDeskDependencies) {
    this.#dependencies = dependencies;
    this.#clock = dependencies.clock ?? SYSTEM_CLOCK;
    this.#shown = new ShownNotices(this.#clock);
  }

  /**
   * Restores the saved state and reads the secrets from the data folder. `isWhole` is whether nothing of the state was
   * lost.
   */
  restore(dataDir: string, kept: KeptMessages, isWhole: boolean): void {
    const { log, options, persist, onChange } = this.#dependencies;
    const folder = { path: dataDir, log, now: () => this.#clock.now() };
    const channels = new ChannelList(kept.channels, SecretsFile.open(folder));
    const outbox = new Outbox(
      {
        ...{ log, clock: this.#clock, timeZone: () => this.#timeZone, persist, onChange },
        channel: (id) => this.#open(id),
        quietHours: () => options().quietHours,
        upToDate: (facts) => this.#upToDate(facts),
      },
      kept.outbox,
    );
    this.#restored = { channels, outbox, isWhole };
  }

  /** The locale and the time zone of this machine. */
  get #place(): Intl.ResolvedDateTimeFormatOptions {
    this.#placeOfSystem ??= new Intl.DateTimeFormat().resolvedOptions();
    return this.#placeOfSystem;
  }

  get #timeZone(): string {
    return this.#dependencies.timeZone ?? this.#place.timeZone;
  }

  get #channels(): ChannelList {
    return this.#all.channels;
  }

  get #outbox(): Outbox {
    return this.#all.outbox;
  }

  get #all(): Restored {
    if (this.#restored === null) throw new Error('what was kept of the messages is not there yet');
    return this.#restored;
  }

  /** The state to save. */
  get kept(): KeptMessages {
    return { channels: this.#channels.all, outbox: this.#outbox.snapshot() };
  }

  /** Starts to send messages, including the restored ones. */
  start(): void {
    // If the state was lost, someone may still restore its channels by hand.
    if (this.#all.isWhole) this.#dropSecrets();
    this.#outbox.reconsider();
    this.#outbox.start();
  }

  async stop(): Promise<void> {
    await this.#restored?.outbox.stop();
  }

  add({ id, kind, at, alert, channels, device }: News): void {
    const unit = (alert.field !== null && device && unitChoiceOf(device.notes.units, alert.field)) || null;
    // A device that never registered has no name; messages show its id.
    const named = alert.device === null ? null : { id: alert.device, name: device?.name ?? '', unit };
    const facts = { id, kind, at, severity: alert.severity, alert, device: named, held: null };
    this.#outbox.put(facts, channels === 'all' ? this.#channels.all.map((each) => each.id) : channels);
  }

  /** Adds a daily or weekly summary. Call `flush` to send it when it is on disk. */
  addDigest(id: string, digest: DigestFacts, channels: DigestSetting['channels']): void {
    this.#outbox.put(
      digestNotice(id, digest),
      channels === 'all' ? this.#channels.all.map((each) => each.id) : channels,
    );
  }

  /** Puts a summary into words, with values and links. */
  digestWords(digest: DigestFacts): Notice {
    return this.#words(digestNotice(randomUUID(), digest), false, Number.POSITIVE_INFINITY);
  }

  /** Sends a summary now, once. Resolves with the failure at each channel that is on, or null. */
  async sendDigest(digest: DigestFacts, channels: DigestSetting['channels']) {
    const on = this.#channels.all.filter(({ id, isOn }) => isOn && (channels === 'all' || channels.includes(id)));
    const facts = digestNotice(randomUUID(), digest);
    return Promise.all(on.map(async ({ id }) => ({ channel: id, failure: await this.#sendOnce(facts, id) })));
  }

  flush(): void {
    this.#outbox.wake();
  }

  /** Removes the unsent messages about an alert that the owner has seen. */
  withdraw(alert: string): void {
    this.#outbox.withdraw(alert);
  }

  /** Call this when the options changed. */
  reconsider(): void {
    this.#outbox.reconsider();
  }

  list(): ChannelState[] {
    return this.#channels.all.map((each) => this.#stateOf(each));
  }

  /**
   * Writes a channel as the API says. Its secrets are on disk when this resolves, the rest after the next write of the
   * state. Rejects with OwnerError.
   */
  async write(input: WrittenChannel, secrets: SecretChanges): Promise<ChannelState> {
    const written = await this.#channels.write(input, secrets);
    this.#outbox.reconsider();
    return this.#stateOf(written);
  }

  /** Deletes a channel and its messages; `save` writes the state. Rejects with OwnerError. */
  async delete(id: string, save: () => Promise<unknown>): Promise<void> {
    this.#channels.delete(id);
    this.#outbox.forget(id);
    await save();
    await this.#channels.dropSecrets();
  }

  /**
   * Sends a test message now. Resolves with the failure, or null. Rejects with OwnerError if the channel is unknown.
   */
  async test(id: string): Promise<ChannelState['lastFailure']> {
    if (this.#channels.find(id) === null) throw new OwnerError('not_found', 'there is no such channel');
    const at = this.#clock.now();
    const facts: NoticeFacts = {
      ...{ id: randomUUID(), kind: 'test', at, severity: 'warning' },
      ...{ alert: null, device: null, held: null },
    };
    return this.#sendOnce(facts, id);
  }

  async #sendOnce(facts: NoticeFacts, id: string): Promise<ChannelState['lastFailure']> {
    const at = this.#clock.now();
    const error = await this.#outbox.sendOnce(facts, id);
    if (error === null) return null;
    return { at, fault: error.fault, detail: error.detail, isPermanent: error.isPermanent, isGivenUp: true };
  }

  /** Call this with a view's answer whether it showed a notification. */
  noticeShown(id: string, isShown: boolean): void {
    this.#shown.answer(id, isShown);
  }

  #dropSecrets(): void {
    this.#channels.dropSecrets().catch((error: unknown) => {
      this.#dependencies.log.warn({ reason: (error as Error).message }, 'secrets of deleted channels are still kept');
    });
  }

  #stateOf(channel: ChannelConfig): ChannelState {
    const secrets = Object.keys(this.#channels.secretsOf(channel.id)) as ChannelSecret[];
    return { channel, secrets, isPlainBeyondLan: isPlain(channel.target), ...this.#outbox.state(channel.id) };
  }

  #open(id: string): OpenChannel | null {
    const config = this.#channels.find(id);
    if (config === null) return null;
    const { target, isOn, maxPerHour, withoutValues } = config;
    const secrets = this.#channels.secretsOf(id);
    return {
      channel: openChannel({ target, secrets, show: (notice, signal) => this.#show(notice, signal) }),
      isOn,
      maxPerHour,
      words: (facts) => this.#words(facts, withoutValues, MOST_BYTES[target.kind]),
    };
  }

  /** Updates only the values: the event that the message reports does not change. A later end has its own message. */
  #upToDate(facts: NoticeFacts): NoticeFacts {
    if (facts.alert === null || facts.kind === 'ended') return facts;
    const now = this.#dependencies.liveAlert(facts.alert.id);
    return now === null ? facts : { ...facts, alert: { ...facts.alert, value: now.value, extreme: now.extreme } };
  }

  #words(facts: NoticeFacts, withoutValues: boolean, mostBytes: number): Notice {
    const { options, language, units } = this.#dependencies;
    const { linkBase, language: chosen } = options();
    return wordsOf(facts, {
      ...{
        linkBase,
        withoutValues,
        mostBytes,
        timeZone: this.#timeZone,
        systemLocale: this.#place.locale,
        units: units(),
      },
      language: chosen ?? language() ?? chooseLanguage([this.#place.locale]),
    });
  }

  async #show({ id, alert, severity, title, text, at }: Notice, signal: AbortSignal) {
    const { events } = this.#dependencies;
    if (!events.isHeard('noticed')) return 'no_view' as const;
    const notice = { id, alert: alert?.id ?? null, severity, title, text, at };
    const isShown = await this.#shown.hand(id, () => events.emit('noticed', () => notice), signal);
    return isShown ? ('shown' as const) : ('not_shown' as const);
  }
}

function digestNotice(id: string, digest: DigestFacts): NoticeFacts {
  return {
    ...{ id, kind: 'digest', at: digest.at, severity: 'warning' },
    ...{ alert: null, device: null, held: null, digest },
  };
}
