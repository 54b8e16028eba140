import type { Logger } from 'pino';
import type { EventPayload } from '../../../shared/owner-api/events.ts';
import type { Overview } from '../../../shared/owner-api/overview.ts';
import type { Language } from '../../../shared/texts/languages.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import type { Host } from '../host.ts';
import { type Notice, NoticeWatch } from './notices.ts';
import { Notifier } from './notifier.ts';

/** The time for which a notification's button snoozes an alert. */
const SNOOZE_MS = 3_600_000;

export interface NotificationDependencies {
  readonly host: Host;
  readonly log: Logger;
  readonly language: () => Language;
  /** Called when a notification was clicked; null if it is not about an alert. */
  readonly open: (alert: string | null) => void;
  /** Returns whether a channel of the alerts already reports what the app notices itself. */
  readonly hasChannel: () => boolean;
}

/** Shows notifications about changes that the app notices itself, and about messages of alerts. */
export class Notifications {
  readonly #dependencies: NotificationDependencies;
  readonly #watch = new NoticeWatch();
  readonly #notifier: Notifier;

  constructor(dependencies: NotificationDependencies) {
    this.#dependencies = dependencies;
    const { host, log, open } = dependencies;
    this.#notifier = new Notifier(
      {
        open,
        acknowledge: (id) => void host.call('acknowledgeAlert', { id }),
        snooze: (id) => void host.call('snoozeAlert', { id, until: SYSTEM_CLOCK.now() + SNOOZE_MS }),
      },
      log,
    );
  }

  /** Shows the changes in this overview. */
  look(overview: Overview): void {
    this.#tell(this.#watch.look(overview));
  }

  /** Call this when a store refuses readings. */
  storeFailed(): void {
    this.#tell(this.#watch.storeFailed(SYSTEM_CLOCK.now()));
  }

  /** Shows a message of an alert, and reports to the node whether it was shown. */
  async tellOfAlert({ id, alert, title, text, severity }: EventPayload<'notice'>): Promise<void> {
    const { host, language } = this.#dependencies;
    const answer = alert === null ? null : await host.call('alerts', {});
    const live = answer?.ok ? answer.value.alerts.find((each) => each.id === alert) : undefined;
    const isShown = await this.#notifier.tellOfAlert(
      { alert, title, text, severity, canBeSilenced: live?.state === 'firing' },
      language(),
    );
    await host.call('noticeShown', { id, isShown });
  }

  #tell(notices: readonly Notice[]): void {
    if (this.#dependencies.hasChannel()) return;
    for (const notice of notices) this.#notifier.tell(notice, this.#dependencies.language());
  }
}
