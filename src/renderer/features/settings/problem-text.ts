import type { PortHolder } from '../../../shared/node-state.ts';
import type { SettingProblem, SettingsView } from '../../../shared/owner-settings.ts';
import { errorCode } from '../../api/errors.ts';
import type { Translate } from '../../i18n/translate.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Refused } from './use-settings.ts';

/** The texts of the settings, for a page with texts of its own. */
export function useSettingsText(): Translate {
  return useTranslation('settings').t;
}

/** Who holds a port, in words; `t` of the namespace `settings`. */
export function holderText(t: Translate, holder: PortHolder | null): string {
  if (holder?.wellhouse === 'self') return t('holder.self');
  const program = holder?.name == null ? '' : t('holder.program', { name: holder.name, pid: holder.pid });
  if (holder?.wellhouse === 'other')
    return program === '' ? t('holder.wellhouse') : t('holder.wellhouseAs', { program });
  return program === '' ? t('holder.unknown') : program;
}

/** Why a change was not taken, in words. */
export function problemText(t: Translate, problem: SettingProblem, view: SettingsView | undefined): string {
  switch (problem.kind) {
    case 'taken':
      return t('problem.taken', { holder: holderText(t, problem.holder) });
    case 'pinned':
      return t('problem.pinned', { variable: view?.settings[problem.setting].variable ?? '' });
    default:
      return t(`problem.${problem.kind}`);
  }
}

/** What a failed change says, in words. */
export function failureText(t: Translate, error: unknown, view: SettingsView | undefined): string {
  if (error instanceof Refused) return problemText(t, error.problem, view);
  return t(`app:error.${errorCode(error)}.text`);
}
