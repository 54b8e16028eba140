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
  /** The time zone of the settings, or null for the system's. */
  readonly language: () => Language | null;
  /** A live alert as it is now; null where it is live no more. */
  readonly liveAlert: (id: string) => Alert | null;
  /** The owner's units for all devices. */
  readonly units: () => GeneralUnits;
  /** Resolves when what is kept here is on disk, with true, or with false where it can't be written. */
  readonly persist: () => Promise<boolean>;
  readonly onChange: () => void;
  readonly clock?: Clock;
  readonly timeZone?: string;
}

/** The state of the messages that is kept between two runs. */
export interface KeptMessages {
  readonly channels: readonly ChannelConfig[];
  readonly outbox: KeptOutbox;
}

interface Restored {
  readonly channels: ChannelList;
  readonly outbox: Outbox;
  /** Whether channels that are not among them were deleted by the owner, and not lost with a damaged file. */
  readonly isWhole: boolean;
}

/** How long a summary may be, in bytes of its text: longer ones would be cut by the channel, and nobody reads them in a notification. */
const MOST_BYTES: Readonly<Record<ChannelKindName, number>> = {
  ...{ ntfy: 3500, telegram: 3500, desktop: 500 },
  ...{ email: Number.POSITIVE_INFINITY, webhook: Number.POSITIVE_INFINITY },
};

type WrittenChannel = Omit<ChannelConfig, 'id'> & { readonly id: string | null };

/** Sends news to the owner's channels: their set-up, the messages on their way, and the words. */
export class MessageDesk implements NewsDesk {
  readonly #dependencies: MessageDeskDependencies;
  readonly #clock: Clock;
  readonly #shown: ShownNotices;
  /** Asked for when it is needed: the first time, that loads megabytes. */
  #placeOfSystem: Intl.ResolvedDateTimeFormatOptions | null = null;
  #restored: Restored | null = null;

  constructor(dependencies: MessageDeskDependencies) {
    this.#dependencies = dependencies;
    this.#clock = dependencies.clock ?? SYSTEM_CLOCK;
    this.#shown = new ShownNotices(this.#clock);
  }

  /** Takes in what was kept, and reads the secrets from the data folder. `isWhole`: nothing of it was lost. */
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

  /** The state to keep. */
  get kept(): KeptMessages {
    return { channels: this.#channels.all, outbox: this.#outbox.snapshot() };
  }

  /** Begins to send, with what was kept. */
  start(): void {
    // Where the state was lost, its channels may yet be brought back by hand.
    if (this.#all.isWhole) this.#dropSecrets();
    this.#outbox.reconsider();
    this.#outbox.start();
  }

  async stop(): Promise<void> {
    await this.#restored?.outbox.stop();
  }

  add({ id, kind, at, alert, channels, device }: News): void {
    const unit = (alert.field !== null && device && unitChoiceOf(device.notes.units, alert.field)) || null;
    // One that never registered has no name: it goes by its id.
    const named = alert.device === null ? null : { id: alert.device, name: device?.name ?? '', unit };
    const facts = { id, kind, at, severity: alert.severity, alert, device: named, held: null };
    this.#outbox.put(facts, channels === 'all' ? this.#channels.all.map((each) => each.id) : channels);
  }

  /** Takes a daily or weekly summary; `flush` sends it, once it is on disk. */
  addDigest(id: string, digest: DigestFacts, channels: DigestSetting['channels']): void {
    this.#outbox.put(
      digestNotice(id, digest),
      channels === 'all' ? this.#channels.all.map((each) => each.id) : channels,
    );
  }

  /** A summary in words, with values and links. */
  digestWords(digest: DigestFacts): Notice {
    return this.#words(digestNotice(randomUUID(), digest), false, Number.POSITIVE_INFINITY);
  }

  /** Sends a summary now, once. Gives what went wrong at each channel that is on. */
  async sendDigest(digest: DigestFacts, channels: DigestSetting['channels']) {
    const on = this.#channels.all.filter(({ id, isOn }) => isOn && (channels === 'all' || channels.includes(id)));
    const facts = digestNotice(randomUUID(), digest);
    return Promise.all(on.map(async ({ id }) => ({ channel: id, failure: await this.#sendOnce(facts, id) })));
  }

  flush(): void {
    this.#outbox.wake();
  }

  /** Takes back what nobody was told yet of an alert that the owner has seen. */
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

  /** See the contract. What is not secret is on disk with the next state that is written. Rejects with OwnerError. */
  async write(input: WrittenChannel, secrets: SecretChanges): Promise<ChannelState> {
    const written = await this.#channels.write(input, secrets);
    this.#outbox.reconsider();
    return this.#stateOf(written);
  }

  /** Deletes a channel with what waits for it; `save` writes the state. Rejects with OwnerError. */
  async delete(id: string, save: () => Promise<unknown>): Promise<void> {
    this.#channels.delete(id);
    this.#outbox.forget(id);
    await save();
    await this.#channels.dropSecrets();
  }

  /** Sends a test message now. Gives what went wrong. Rejects with OwnerError where there is no such channel. */
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

  /** A view says whether it showed a notification. */
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

  /** Only its values: what the message tells happened when it says so. One that ended is told by another message. */
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
