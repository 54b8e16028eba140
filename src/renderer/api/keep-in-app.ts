import type { SettingChange, SettingsView } from '../../shared/owner-api/settings.ts';
import { desktop } from './desktop.ts';

/**
 * Keeps the language or theme in the desktop app's settings, for the app's menus and messages. Does nothing in a
 * browser. Errors are ignored: the change applies to the page anyway.
 */
export function keepInApp(change: Pick<SettingChange, 'language' | 'theme'>): void {
  desktop?.owner.call('setSettings', { change }).catch(() => {});
}

/** The language and theme of the view. A null language is the system's. */
export interface KeptView {
  readonly language: SettingsView['settings']['language']['value'];
  readonly theme: SettingsView['settings']['theme']['value'];
}

/** Returns the view's settings of the desktop app; null in a browser, or if they can't be read. */
export async function keptInApp(): Promise<KeptView | null> {
  if (desktop === null) return null;
  try {
    const { language, theme } = (await desktop.owner.call('getSettings', {})).settings;
    return { language: language.value, theme: theme.value };
  } catch {
    return null;
  }
}
