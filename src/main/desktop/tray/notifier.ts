import { Notification } from 'electron';
import type { Logger } from 'pino';
import { displayText } from '../../../shared/display-text.ts';
import type { Language } from '../../../shared/texts/languages.ts';
import { textsFor } from '../../common/texts.ts';
import type { Notice } from './notices.ts';
import { timeText } from './tray.ts';

/** Shows notices by the system's notifications. */
export class Notifier {
  /** Kept until they are clicked or closed: one that is collected as garbage no longer answers a click. */
  readonly #shown = new Set<Notification>();
  readonly #onClick: () => void;
  readonly #log: Logger;

  constructor(onClick: () => void, log: Logger) {
    this.#onClick = onClick;
    this.#log = log;
  }

  /** Does nothing where the system shows no notifications. */
  tell(notice: Notice, language: Language): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification(wording(notice, language));
    this.#shown.add(notification);
    const forget = () => this.#shown.delete(notification);
    notification.on('click', () => {
      forget();
      this.#onClick();
    });
    notification.on('close', forget);
    // Linux does not tell.
    if (process.platform !== 'linux') {
      notification.on('failed', (_event, reason) => {
        forget();
        this.#log.warn({ notice: notice.kind, reason }, 'a notification was not shown');
      });
    }
    notification.show();
  }
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
