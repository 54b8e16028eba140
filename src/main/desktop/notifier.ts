import { Notification } from 'electron';
import { displayText } from '../../shared/display-text.ts';
import type { Notice } from './notices.ts';
import { type Language, textsFor } from './texts/texts.ts';
import { timeText } from './tray.ts';

/** Shows notices by the system's notifications. */
export class Notifier {
  /** Kept until they are clicked or closed: one that is collected as garbage no longer answers a click. */
  readonly #shown = new Set<Notification>();
  readonly #onClick: () => void;

  constructor(onClick: () => void) {
    this.#onClick = onClick;
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
    notification.show();
  }
}

function wording(notice: Notice, language: Language): { title: string; body: string } {
  const { notice: t } = textsFor(language);
  switch (notice.kind) {
    case 'silent': {
      const name = displayText(notice.name) || notice.device.slice(0, 8);
      return { title: t.silent(name), body: t.silentBody(timeText(language, notice.since)) };
    }
    case 'knocking':
      return { title: t.knocking, body: t.knockingBody(notice.device.slice(0, 8)) };
    default:
      return { title: t.store, body: t.storeBody };
  }
}
