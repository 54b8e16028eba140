import { useTranslation } from 'react-i18next';
import type { PortHolder } from '../../shared/node-state.ts';
import type { SettingProblem, SettingsView } from '../../shared/owner-api/settings.ts';
import type { TextsOf } from '../../shared/texts/typed-keys.ts';
import { errorCode } from '../api/errors.ts';
import { Refused } from '../api/queries/settings.ts';

type SettingsTexts = TextsOf<['settings', 'app']>;

/** Returns the texts of the settings, for pages that have their own namespace. */
export function useSettingsText(): SettingsTexts {
  return useTranslation(['settings', 'app']).t;
}

/** Returns the name of the program that uses a port; `t` must have the namespace `settings`. */
export function holderText(t: SettingsTexts, holder: PortHolder | null): string {
  if (holder?.wellhouse === 'self') return t('holder.self');
  const program = programText(t, holder);
  if (holder?.wellhouse === 'other')
    return program === null ? t('holder.wellhouse') : t('holder.wellhouseAs', { program });
  return program ?? t('holder.unknown');
}

function programText(t: SettingsTexts, holder: PortHolder | null): string | null {
  if (holder?.name == null) return null;
  return holder.pid === null ? holder.name : t('holder.program', { name: holder.name, pid: holder.pid });
}

/** Returns the reason why a change was refused, in words. */
export function problemText(t: SettingsTexts, problem: SettingProblem, view: SettingsView | undefined): string {
  switch (problem.kind) {
    case 'taken':
      return t('problem.taken', { holder: holderText(t, problem.holder) });
    case 'pinned':
      return t('problem.pinned', { variable: view?.settings[problem.setting].variable ?? '' });
    default:
      return t(`problem.${problem.kind}`);
  }
}

/** Returns the message for a failed change. */
export function failureText(t: SettingsTexts, error: unknown, view: SettingsView | undefined): string {
  if (error instanceof Refused) return problemText(t, error.problem, view);
  return t(`app:error.${errorCode(error)}.text`);
}
