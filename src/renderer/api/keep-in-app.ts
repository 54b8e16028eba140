import type { SettingChange, SettingsView } from '../../shared/owner-api/settings.ts';
import { desktop } from './desktop.ts';

/**
 * Keeps how the view looks and speaks among the desktop app's settings, where its menus and messages find it. A browser
 * keeps such things for itself. That it can't be kept is no reason not to look so.
 */
export function keepInApp(change: Pick<SettingChange, 'language' | 'theme'>): void {
  desktop?.owner.call('setSettings', { change }).catch(() => {});
}

/** How the view looks and speaks; language null: as the system has it. */
export interface KeptView {
  readonly language: SettingsView['settings']['language']['value'];
  readonly theme: SettingsView['settings']['theme']['value'];
}

/** The settings of the desktop app for the view; null in a browser, and if they are not readable. */
export async function keptInApp(): Promise<KeptView | null> {
  if (desktop === null) return null;
  try {
    const { language, theme } = (await desktop.owner.call('getSettings', {})).settings;
    return { language: language.value, theme: theme.value };
  } catch {
    return null;
  }
}
