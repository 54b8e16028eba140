import { useTranslation } from 'react-i18next';
import type { CareFault } from '../../../shared/care/faults.ts';
import { errorCode } from '../../api/errors.ts';
import { CareRefused } from '../../api/queries/backups.ts';

const TOLD = ['no_folder', 'no_room', 'busy', 'cancelled'] as const;

/** Returns functions that describe in words why an export failed. */
export function useFaultText() {
  const { t } = useTranslation(['export', 'app']);
  const ofFault = (fault: CareFault): string => t(`fault.${TOLD.find((each) => each === fault) ?? 'refused'}`);
  const ofError = (error: unknown): string =>
    error instanceof CareRefused
      ? `${ofFault(error.problem.fault)} ${t('nothingBegun')}`
      : t(`app:error.${errorCode(error)}.text`);
  return { ofFault, ofError };
}
