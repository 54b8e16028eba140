import type { SettingChange, SettingsView } from '../../shared/owner-settings.ts';
import { getApi, isDesktop } from './client.ts';

/**
 * Keeps how the view looks and speaks among the desktop app's settings, where its menus and messages find it. A browser
 * keeps such things for itself. That it can't be kept is no reason not to look so.
 */
export function keepInApp(change: Pick<SettingChange, 'language' | 'theme'>): void {
  if (!isDesktop()) return;
  getApi()
    .call('setSettings', { change })
    .catch(() => {});
}

/** How the view looks and speaks; language null: as the system has it. */
export interface KeptView {
  readonly language: SettingsView['settings']['language']['value'];
  readonly theme: SettingsView['settings']['theme']['value'];
}

/** What the desktop app's settings say of the view; null in a browser, and where they can't be read. */
export async function keptInApp(): Promise<KeptView | null> {
  if (!isDesktop()) return null;
  try {
    const { language, theme } = (await getApi().call('getSettings', {})).settings;
    return { language: language.value, theme: theme.value };
  } catch {
    return null;
  }
}
