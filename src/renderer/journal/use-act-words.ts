import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { withUnit } from '../../shared/format/scaled.ts';
import { actText } from '../../shared/owner-data/act-text.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import type { LogTotal } from '../../shared/owner-data/log-totals.ts';
import { useOverview } from '../api/queries/overview.ts';
import { useScalesOf } from '../devices/use-scales.ts';
import { useLocale } from '../format/format.ts';

/** An act and its device. The units of a calibration are those of the device. */
type Said = Pick<JournalEntry, 'act'> & Partial<Pick<JournalEntry, 'device'>>;

const NO_UNITS = { notes: { units: {} } };

/** Returns a function that describes an act, such as "Dosed · Part A · 15 ml"; null for a note. */
export function useActWords(): (entry: Said) => string | null {
  const { t } = useTranslation(['journal', 'app']);
  const locale = useLocale();
  const devices = useOverview().data?.devices;
  const scalesOf = useScalesOf();
  return useCallback(
    ({ act, device }) => {
      if (act === undefined) return null;
      if (act.field !== undefined && act.points !== undefined) {
        const scale = scalesOf(devices?.find(({ id }) => id === device) ?? NO_UNITS)[act.field];
        const number = (sent: number) =>
          withUnit(scale.toShown(sent).toLocaleString(locale, { maximumFractionDigits: 4 }), scale.symbol);
        const points = act.points.map(({ reference, shown }) =>
          t('calibration.point', { reference: number(reference), shown: number(shown) }),
        );
        return [t('kind.calibrated'), t(`app:field.${scale.label}`), ...points].join(' · ');
      }
      return actText(t, locale, act, false);
    },
    [t, locale, devices, scalesOf],
  );
}

/** Returns a function that describes an entry in one line. */
export function useEntryWords(): (entry: Said & Pick<JournalEntry, 'text'>) => string {
  const words = useActWords();
  return useCallback(
    (entry) => [words(entry), entry.text].filter((word) => word !== null && word !== '').join(': '),
    [words],
  );
}

/** Returns a function that describes a sum of entries. */
export function useTotalWords(): (total: LogTotal) => string {
  const words = useActWords();
  return useCallback(
    ({ kind, product, value, unit }) =>
      words({ act: { kind, ...(product === undefined ? {} : { product }), amount: { value, unit } } }) ?? '',
    [words],
  );
}
