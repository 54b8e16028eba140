import type { SettingChange } from '../../shared/owner-settings.ts';
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
