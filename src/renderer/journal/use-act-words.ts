import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { useLocale } from '../format/format.ts';

/** Gives what was done in words, such as "Dosed · Part A · 15 ml"; null for a note. */
export function useActWords(): (entry: Pick<JournalEntry, 'act'>) => string | null {
  const { t } = useTranslation('journal');
  const locale = useLocale();
  return useCallback(
    ({ act }) => {
      if (act === undefined) return null;
      const amount =
        act.amount === undefined
          ? undefined
          : `${act.amount.value.toLocaleString(locale)} ${t(`unit.${act.amount.unit}`)}`;
      return [t(`kind.${act.kind}`), act.product, amount].filter((word) => word !== undefined).join(' · ');
    },
    [t, locale],
  );
}

/** Gives an entry in one line. */
export function useEntryWords(): (entry: Pick<JournalEntry, 'act' | 'text'>) => string {
  const words = useActWords();
  return useCallback(
    (entry) => [words(entry), entry.text].filter((word) => word !== null && word !== '').join(': '),
    [words],
  );
}
