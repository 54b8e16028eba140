import { useTranslation } from 'react-i18next';
import type { CareFault } from '../../shared/care/faults.ts';
import { errorCode } from '../api/errors.ts';
import { CareRefused } from '../api/queries/backups.ts';
import { KeySessionError } from '../keys/types.ts';

/** Returns functions that explain the failure of a backup, a check or a restore in words. */
export function useFaultText() {
  const { t } = useTranslation(['backups', 'app']);
  const ofFault = (fault: CareFault): string => t(`fault.${fault}`);
  const ofError = (error: unknown): string => {
    if (error instanceof CareRefused) return ofFault(error.problem.fault);
    if (error instanceof KeySessionError) return t(error.code === 'insecure' ? 'key.insecure' : 'key.unusable');
    return t(`app:error.${errorCode(error)}.text`);
  };
  return { ofFault, ofError };
}
