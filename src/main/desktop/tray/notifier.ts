import { Notification, type NotificationConstructorOptions } from 'electron';
import type { Logger } from 'pino';
import { displayText } from '../../../shared/display-text.ts';
import type { Language } from '../../../shared/texts/languages.ts';
import { textsFor } from '../../common/texts.ts';
import type { Notice } from './notices.ts';
import { timeText } from './tray.ts';

/** A system that can't show a notification reports it within this time, if at all. */
const FAULT_WITHIN_MS = 1000;

/** The owner's answer to a notification. */
export interface NotifierActions {
  /** Called after a click; `alert` is null if the notification is not about an alert. */
  open(alert: string | null): void;
  acknowledge(alert: string): void;
  /** For an hour. */
  snooze(alert: string): void;
}

/** Shows notices as system notifications. */
export class Notifier {
  /**
   * The shown notifications, kept until they are clicked or closed: after garbage collection they would not react to a
   * click.
   */
  readonly #shown = new Set<Notification>();
  readonly #actions: NotifierActions;
  readonly #log: Logger;

  constructor(actions: NotifierActions, log: Logger) {
    this.#actions = actions;
    this.#log = log;
  }

  /** Shows a notice, if the system supports notifications. */
  tell(notice: Notice, language: Language): void {
    void this.#show(wording(notice, language), { alert: null, about: notice.kind, onAction: () => {} });
  }

  /** Shows a message of an alert, with buttons if the system supports them. Resolves with whether it is shown. */
  tellOfAlert({ alert, title, text, severity, canBeSilenced }: ShownAlert, language: Language): Promise<boolean> {
    const t = textsFor(language);
    const buttons = [
      { text: t('notice.acknowledge'), press: (id: string) => this.#actions.acknowledge(id) },
      { text: t('notice.snooze'), press: (id: string) => this.#actions.snooze(id) },
    ];
    return this.#show(
      {
        title,
        body: text,
        ...(severity === 'critical' && process.platform !== 'darwin' ? { urgency: 'critical' as const } : {}),
        ...(alert !== null && canBeSilenced
          ? { actions: buttons.map(({ text: label }) => ({ type: 'button' as const, text: label })) }
          : {}),
      },
      { alert, about: 'alert', onAction: (index) => alert !== null && buttons[index]?.press(alert) },
    );
  }

  #show(
    options: NotificationConstructorOptions,
    { alert, about, onAction }: { alert: string | null; about: string; onAction: (index: number) => void },
  ): Promise<boolean> {
    if (!Notification.isSupported()) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const notification = new Notification(options);
    this.#shown.add(notification);
    // Not every system reports that it showed the notification.
    const timer = setTimeout(() => resolve(true), FAULT_WITHIN_MS).unref();
    const forget = () => this.#shown.delete(notification);
    notification.on('click', () => {
      forget();
      this.#actions.open(alert);
    });
    notification.on('action', ({ actionIndex }) => {
      forget();
      onAction(actionIndex);
    });
    notification.on('close', forget);
    // Linux does not report failures.
    if (process.platform !== 'linux') {
      notification.on('failed', (_event, reason) => {
        forget();
        // The timer would keep the notification alive.
        clearTimeout(timer);
        resolve(false);
        this.#log.warn({ notice: about, reason }, 'a notification was not shown');
      });
    }
    notification.on('show', () => resolve(true));
    notification.show();
    return promise;
  }
}

/** A message of an alert for display. */
export interface ShownAlert {
  /** null if it is not about an alert. */
  readonly alert: string | null;
  readonly title: string;
  readonly text: string;
  readonly severity: 'warning' | 'critical';
  /** Whether the alert fires, so that it can be silenced. */
  readonly canBeSilenced: boolean;
}

function wording(notice: Notice, language: Language): { title: string; body: string } {
  const t = textsFor(language);
  switch (notice.kind) {
    case 'silent': {
      const name = displayText(notice.name) || notice.device.slice(0, 8);
      return {
        title: t('notice.silent', { name }),
        body: t('notice.silentBody', { since: timeText(language, notice.since) }),
      };
    }
    case 'knocking':
      return { title: t('notice.knocking'), body: t('notice.knockingBody', { id: notice.device.slice(0, 8) }) };
    default:
      return { title: t('notice.store'), body: t('notice.storeBody') };
  }
}
