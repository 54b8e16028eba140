import { Button, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CSV_DIALECTS, type CsvDialect } from '../../../shared/export/csv.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../../shared/owner-api/limits.ts';
import { useBeginExport, useExportSize } from '../../api/queries/exports.ts';
import { TimeFields, timesOf, timeTexts } from '../../charts/range/time-fields.tsx';
import { Failure } from '../../components/failure.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useCsvDialect } from '../../export/use-csv-dialect.ts';
import { useFormat } from '../../format/format.ts';
import classes from './export-page.module.css';
import { useFaultText } from './fault-text.ts';

const MONTH_MS = 30 * 86_400_000;

/** Chooses the devices, the format and the folder of an export. */
export function ExportForm({ suggested }: { suggested: string }) {
  const { t } = useTranslation(['export', 'device']);
  const { ofError } = useFaultText();
  const begin = useBeginExport();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [isRange, setRange] = useState(false);
  const [texts, setTexts] = useState(() => timeTexts({ from: Date.now() - MONTH_MS, to: Date.now() }));
  const [dialect, setDialect] = useCsvDialect();
  const [latest, keepFolder] = useExportFolder();
  const [folder, setFolder] = useState(latest ?? suggested);
  const [isEmpty, setEmpty] = useState(false);
  const hasRange = isRange && format !== 'sqlite';
  const bounds = hasRange ? boundsOf(texts) : { from: null, to: null };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setEmpty(folder.trim() === '');
    if (bounds === null || folder.trim() === '') return;
    const wish = { folder: folder.trim(), format, dialect, ...bounds };
    begin.mutate(wish, { onSuccess: () => keepFolder(wish.folder) });
  };
  return (
    <Card title={t('what')}>
      <form onSubmit={submit} aria-label={t('title')}>
        <Stack gap="sm">
          <Radio.Group
            aria-label={t('what')}
            value={hasRange ? 'range' : 'all'}
            onChange={(value) => setRange(value === 'range')}
          >
            <Stack gap={6}>
              <Radio value="all" label={t('all')} />
              <Radio value="range" label={t('range')} description={t('rangeText')} disabled={format === 'sqlite'} />
            </Stack>
          </Radio.Group>
          {hasRange ? (
            <div className={classes.times}>
              <TimeFields value={texts} onChange={setTexts} error={bounds === null ? t('badRange') : undefined} />
            </div>
          ) : null}
          <Radio.Group label={t('format')} value={format} onChange={(value) => setFormat(value as ExportFormat)}>
            <Stack gap={6} mt={8}>
              {EXPORT_FORMATS.map((each) => (
                <Radio key={each} value={each} label={t(`formats.${each}`)} description={t(`formatText.${each}`)} />
              ))}
            </Stack>
          </Radio.Group>
          {format === 'csv' ? (
            <NativeSelect
              maw={320}
              label={t('device:export.dialect')}
              description={t('device:export.dialectText')}
              value={dialect}
              onChange={(event) => setDialect(event.currentTarget.value as CsvDialect)}
              data={CSV_DIALECTS.map((each) => ({ value: each, label: t(`device:export.dialects.${each}`) }))}
            />
          ) : null}
          <p className={classes.note}>{t('values')}</p>
          <TextInput
            label={t('folder')}
            description={t('folderText')}
            placeholder="/media/usb"
            spellCheck={false}
            autoComplete="off"
            maxLength={4096}
            value={folder}
            error={isEmpty ? t('folderNeeded') : undefined}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
          {bounds === null ? null : <Size bounds={bounds} format={format} />}
          <Failure>{begin.error === null ? null : ofError(begin.error)}</Failure>
          <div>
            <Button type="submit" size="xs" loading={begin.isPending}>
              {t('start')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

type Bounds = NonNullable<Parameters<typeof useExportSize>[0]>;

function Size({ bounds, format }: { bounds: Bounds; format: ExportFormat }) {
  const { t } = useTranslation('export');
  const { integer, bytes } = useFormat();
  const { data: size } = useExportSize(bounds);
  return (
    <p className={classes.size} role="status">
      {size === undefined
        ? t('sizeUnknown')
        : t('size', {
            count: size.readings,
            number: integer(size.readings),
            devices: t('devices', { count: size.devices, number: integer(size.devices) }),
            size: bytes(size.bytes[format]),
          })}
    </p>
  );
}

/**
 * Returns the range in Unix milliseconds. The field has whole seconds, so the last second is included completely.
 * Returns null if the times are invalid.
 */
function boundsOf(texts: Parameters<typeof timesOf>[0]): Bounds | null {
  const times = timesOf(texts);
  return times === null || times.from > times.to ? null : { from: times.from, to: times.to + 999 };
}

/** Returns the folder on the node's machine of the latest export from this browser; null if there was none. */
function useExportFolder(): [string | null, (folder: string) => void] {
  const [folder, keep] = useLocalStorage<string | null>({
    key: 'wellhouse.export.folder',
    defaultValue: null,
    deserialize: (text) => text ?? null,
    serialize: (folder) => folder ?? '',
    getInitialValueInEffect: false,
  });
  return [folder, keep];
}
