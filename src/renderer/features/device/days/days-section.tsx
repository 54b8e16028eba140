import { Button, Group, NativeSelect, SegmentedControl, Table } from '@mantine/core';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../../shared/display-text.ts';
import { fileName, localZone } from '../../../../shared/export/file-name.ts';
import { meanText, openedText, withUnit } from '../../../../shared/format/scaled.ts';
import { ANY_FIELDS } from '../../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import { percentOf } from '../../../../shared/measures/time-in-range.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { calendarBounds, type DayPart, dayParts } from '../../../../shared/owner-data/day-parts.ts';
import { OwnerOnly } from '../../../api/me.tsx';
import { firstWeekdayOf } from '../../../charts/range/calendar-ranges.ts';
import { fieldData } from '../../../charts/series/chart-data.ts';
import type { View } from '../../../charts/view.ts';
import { saveFile } from '../../../components/browser/save-file.ts';
import { SectionHead } from '../../../components/section-head.tsx';
import { useDay } from '../../../devices/use-day.ts';
import { useScales } from '../../../devices/use-scales.ts';
import { useCsvDialect } from '../../../export/use-csv-dialect.ts';
import { useFormat, useLocale } from '../../../format/format.ts';
import type { OpenedHistory } from '../../../opening/merge-opened.ts';
import { useAllowed } from '../charts/use-allowed.ts';
import { DayHoursDialog } from './day-hours-dialog.tsx';
import { daysCsv, daysJson, type FieldDays } from './days-file.ts';
import classes from './days-section.module.css';

const BYTE_ORDER_MARK = '\uFEFF';
/** The maximum number of rows shown. The files contain all rows. */
const MOST_ROWS = 60;

interface Props {
  readonly device: DeviceDetail;
  /** The range of the charts. */
  readonly view: View;
  /** The charts' data; undefined until it is loaded. */
  readonly history: OpenedHistory | undefined;
}

/** Summarises the charts' data by day or week: time in range, means by day and by night, minimum and maximum. */
export const DaysSection = memo(function DaysSection({ device, view: drawnView, history: drawnHistory }: Props) {
  const { t } = useTranslation(['charts', 'app']);
  const locale = useLocale();
  const [dialect] = useCsvDialect();
  const [unit, setUnit] = useState<'day' | 'week'>('day');
  const [chosen, setChosen] = useState('');
  const [isSetting, setSetting] = useState(false);
  const scales = useScales(device);
  const allowed = useAllowed(device, scales);
  const day = useDay(device);
  // The charts are drawn first. To sum up a year takes as long as they do, and the table is below them.
  const view = useDeferredValue(drawnView);
  const history = useDeferredValue(drawnHistory);
  const fields = useMemo(() => {
    if (history === undefined) return [];
    return ANY_FIELDS.flatMap((field) => {
      const data = fieldData(history, scales[field], device.usualIntervalMs);
      return data.times.length === 0 ? [] : [{ scale: scales[field], data }];
    });
  }, [history, scales, device.usualIntervalMs]);
  // To sum up all fields of a year takes longer than to draw them, and the table shows one.
  const sumUp = useMemo(() => {
    const bounds = calendarBounds(view, localZone(), unit === 'day' ? null : firstWeekdayOf(locale));
    return ({ scale, data }: (typeof fields)[number]): FieldDays => {
      const parts = dayParts(data, allowed[scale.field].bands, bounds, (at) => day.isDay(at));
      return { scale, parts: parts.filter(({ count }) => count > 0) };
    };
  }, [view, unit, locale, allowed, day]);
  const inTable = fields.find(({ scale }) => scale.field === chosen) ?? fields[0];
  const shown = useMemo(() => inTable && sumUp(inTable), [inTable, sumUp]);
  const save = (extension: 'csv' | 'json'): void => {
    const all = fields.map(sumUp);
    const text = extension === 'csv' ? BYTE_ORDER_MARK + daysCsv(all, dialect) : daysJson(all);
    const type = extension === 'csv' ? 'text/csv;charset=utf-8' : 'application/json';
    const [from, to] = [Math.round(view.from), Math.round(view.to)];
    const resolution = unit === 'day' ? 'daily' : 'weekly';
    saveFile(new Blob([text], { type }), fileName({ device: deviceName(device), from, to, resolution, extension }));
  };
  const hours = { from: day.hours?.from ?? '', to: day.hours?.to ?? '' };
  return (
    <section aria-labelledby="days-title" className={classes.section}>
      <SectionHead id="days-title" title={t('days.title')}>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('days.title')}
            value={unit}
            onChange={(value) => setUnit(value === 'week' ? 'week' : 'day')}
            data={(['day', 'week'] as const).map((value) => ({ value, label: t(`days.by.${value}`) }))}
          />
          {shown === undefined ? null : (
            <NativeSelect
              size="xs"
              aria-label={t('days.field')}
              value={shown.scale.field}
              onChange={(event) => setChosen(event.currentTarget.value)}
              data={fields.map(({ scale }) => ({ value: scale.field, label: t(`app:field.${scale.label}`) }))}
            />
          )}
        </Group>
      </SectionHead>
      <p className={classes.note}>
        {day.by === 'sun' ? t('days.note.sun') : t(`days.note.${day.by}`, hours)}{' '}
        <OwnerOnly>
          <Button variant="subtle" size="compact-xs" onClick={() => setSetting(true)}>
            {t('days.change')}
          </Button>
        </OwnerOnly>
      </p>
      {shown === undefined || shown.parts.length === 0 ? (
        <p className={classes.note}>{t('days.none')}</p>
      ) : (
        <>
          <DaysTable unit={unit} scale={shown.scale} parts={shown.parts.toReversed().slice(0, MOST_ROWS)} />
          <Group gap="xs">
            {(['csv', 'json'] as const).map((extension) => (
              <Button key={extension} variant="default" size="compact-xs" onClick={() => save(extension)}>
                {t('days.save', { format: extension.toUpperCase() })}
              </Button>
            ))}
          </Group>
        </>
      )}
      {isSetting ? <DayHoursDialog device={device} day={day} onClose={() => setSetting(false)} /> : null}
    </section>
  );
});

interface TableProps {
  readonly unit: 'day' | 'week';
  readonly scale: FieldScale;
  readonly parts: readonly DayPart[];
}

function DaysTable({ unit, scale, parts }: TableProps) {
  const { t } = useTranslation(['charts', 'app']);
  const format = useFormat();
  const locale = useLocale();
  const date = useMemo(
    () => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }),
    [locale],
  );
  const number = (text: typeof meanText, value: number | null) => (value === null ? '–' : text(format, scale, value));
  const label = t('days.tableOf', { name: t(`app:field.${scale.label}`) });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <Table verticalSpacing={3} fz="xs" aria-label={label} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(unit === 'day' ? 'days.by.day' : 'days.from')}</Table.Th>
            <Table.Th ta="end">{t('stats.inRange')}</Table.Th>
            <Table.Th ta="end">{withUnit(t('days.meanByDay'), scale.symbol)}</Table.Th>
            <Table.Th ta="end">{t('days.meanByNight')}</Table.Th>
            <Table.Th ta="end">{t('chart.min')}</Table.Th>
            <Table.Th ta="end">{t('chart.max')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.map((part) => (
            <Table.Tr key={part.from}>
              <Table.Th scope="row" fw={500}>
                {date.format(part.from)}
              </Table.Th>
              <Table.Td ta="end">
                {part.inRange === null ? '–' : withUnit(format.rounded(percentOf(part.inRange), 1), '%')}
              </Table.Td>
              <Table.Td ta="end">{number(meanText, part.day)}</Table.Td>
              <Table.Td ta="end">{number(meanText, part.night)}</Table.Td>
              <Table.Td ta="end">{number(openedText, part.min)}</Table.Td>
              <Table.Td ta="end">{number(openedText, part.max)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
