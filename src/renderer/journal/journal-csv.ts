import { type CsvDialect, csvLine } from '../../shared/export/csv.ts';
import { localTimeText, localZone } from '../../shared/export/file-name.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { photoFile } from '../../shared/photos/photo-limits.ts';

/** Without a byte order mark, Excel reads accented letters in the machine's old code page. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Returns entries of the journal as a file for spreadsheets. `placeOf` returns the name of an entry's place. New columns must be
 * added at the end, as scripts may depend on the order.
 */
export function journalCsv(
  entries: readonly JournalEntry[],
  placeOf: (entry: JournalEntry) => string,
  dialect: CsvDialect,
): Blob {
  const zone = localZone();
  const header = csvLine(
    [
      'time',
      `time_local (${zone})`,
      'device',
      'device_id',
      'note',
      'written_at',
      'kind',
      'product',
      'amount',
      'unit',
      'by',
      'sensor',
      'reference',
      'shown',
      'reference_2',
      'shown_2',
      'photos',
    ],
    dialect,
  );
  const lines = entries.map((entry) => {
    const { at, device, act, text, by, updatedAt } = entry;
    return csvLine(
      [
        new Date(at).toISOString(),
        localTimeText(at),
        placeOf(entry),
        device,
        text,
        new Date(updatedAt).toISOString(),
        act?.kind ?? 'note',
        act?.product ?? null,
        act?.amount?.value ?? null,
        act?.amount?.unit ?? null,
        by ?? null,
        act?.field ?? null,
        ...[0, 1].flatMap((point) => [act?.points?.[point]?.reference ?? null, act?.points?.[point]?.shown ?? null]),
        act?.photos?.map(photoFile).join(' ') ?? null,
      ],
      dialect,
    );
  });
  return new Blob([BYTE_ORDER_MARK, header, ...lines], { type: 'text/csv;charset=utf-8' });
}
