import { Button, Table } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { columnDecimals, meanText, openedText, valueText, withUnit } from '../../../../shared/format/scaled.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { FieldData } from '../../../charts/series/chart-data.ts';
import { useFormat } from '../../../format/format.ts';
import { useMark } from '../../../format/shown-text.ts';
import classes from './field-chart.module.css';

/** The number of rows at first: a screen reader reads them one by one. */
const FIRST_ROWS = 100;

/** Shows the data of a chart as a table, the newest first, for readers who can't see the chart. */
export function ChartTable({ name, scale, data }: { name: string; scale: FieldScale; data: FieldData }) {
  const { t } = useTranslation('charts');
  const format = useFormat();
  const markOf = useMark();
  const [all, setAll] = useState(false);
  const rows = useMemo(() => data.times.map((_, index) => index).filter((index) => data.count[index]! > 0), [data]);
  const { stepMs } = data;
  const newestFirst = rows.toReversed();
  const shown = all ? newestFirst : newestFirst.slice(0, FIRST_ROWS);
  const isOpened = data.openings.opened > 0;
  const decimals = useMemo(() => {
    const values = [...data.min, ...data.max].filter((value) => value !== null);
    return columnDecimals(
      scale,
      values.map((shown) => ({ shown, isOpened })),
    );
  }, [data, scale, isOpened]);
  const of = (value: number | null | undefined): string =>
    value == null ? '' : (isOpened ? openedText : valueText)(format, scale, value, decimals);
  // The mark goes before the number, so that the decimals stay aligned.
  const marked = (value: number | null | undefined, text: string): ReactNode => {
    const mark = value == null ? null : markOf(scale, value);
    return mark === null ? (
      text
    ) : (
      <>
        <span className={classes.mark}>{mark}</span> {text}
      </>
    );
  };
  const caption = t('chart.tableOf', { name });
  return (
    <>
      <Table stickyHeader verticalSpacing={2} fz="xs" aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(stepMs === null ? 'chart.time' : 'chart.from')}</Table.Th>
            <Table.Th ta="end">{withUnit(t(stepMs === null ? 'chart.value' : 'chart.mean'), scale.symbol)}</Table.Th>
            {stepMs === null ? null : (
              <>
                <Table.Th ta="end">{t('chart.min')}</Table.Th>
                <Table.Th ta="end">{t('chart.max')}</Table.Th>
                <Table.Th ta="end">{t('chart.count')}</Table.Th>
              </>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((index) => (
            <Table.Tr key={index}>
              <Table.Td>{format.shortDateTime(data.times[index]! - (stepMs ?? 0) / 2)}</Table.Td>
              <Table.Td ta="end">
                {marked(
                  data.mean[index],
                  stepMs === null ? of(data.mean[index]) : meanText(format, scale, data.mean[index]!),
                )}
              </Table.Td>
              {stepMs === null ? null : (
                <>
                  <Table.Td ta="end">{marked(data.min[index], of(data.min[index]))}</Table.Td>
                  <Table.Td ta="end">{marked(data.max[index], of(data.max[index]))}</Table.Td>
                  <Table.Td ta="end">{format.integer(data.count[index]!)}</Table.Td>
                </>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < rows.length ? (
        <Button variant="subtle" size="compact-xs" m={4} onClick={() => setAll(true)}>
          {t('chart.showAll', { shown: format.integer(rows.length) })}
        </Button>
      ) : null}
    </>
  );
}
