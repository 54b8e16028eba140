import { useLocalStorage } from '@mantine/hooks';
import { CSV_DIALECTS, type CsvDialect, dialectOf } from '../../shared/export/csv.ts';
import { useLocale } from '../format/format.ts';

const KEY = 'wellhouse.csv';

/** The CSV dialect that the owner's spreadsheet reads: the one chosen earlier, otherwise that of the language. */
export function useCsvDialect(): [CsvDialect, (dialect: CsvDialect) => void] {
  const locale = useLocale();
  const [chosen, choose] = useLocalStorage<CsvDialect | null>({
    key: KEY,
    defaultValue: null,
    deserialize: (text) => CSV_DIALECTS.find((dialect) => dialect === text) ?? null,
    serialize: (dialect) => dialect ?? '',
    getInitialValueInEffect: false,
  });
  return [chosen ?? dialectOf(locale), choose];
}
