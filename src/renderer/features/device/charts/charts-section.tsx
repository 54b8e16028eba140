import { Group, Loader, Skeleton, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { useHistory } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { Icon } from '../../../components/icon.tsx';
import { fieldUnits } from '../../../format.ts';
import { useNow } from '../../../now.ts';
import { SHOWN_FIELDS } from '../../../values.ts';
import { fieldData } from './chart-data.ts';
import { resolveRange, tickMs, type View } from './chart-range.ts';
import classes from './charts-section.module.css';
import { FieldChart } from './field-chart.tsx';
import { RangeBar } from './range-bar.tsx';
import { useChartRange } from './use-chart-range.ts';

/** Data is asked for in steps of so many points, so that resizing the window does not ask at every pixel. */
const POINTS_STEP = 200;
const FEWEST_POINTS = 400;
const MOST_POINTS = 1600;

interface Props {
  readonly device: DeviceDetail;
  /** Told what is in view, for an export of the same. */
  readonly onView: (view: View) => void;
}

/** A chart for each field that the device sends, all of the same stretch of time. */
export function ChartsSection({ device, onView }: Props) {
  const { t } = useTranslation('device');
  const { range, setRange, actions, view: inView, canGoBack } = useChartRange();
  const { ref, width } = useElementSize();
  // The newest moment moves along by about a pixel: a year needs no redrawing every second.
  const tick = tickMs(range);
  const { view, query } = resolveRange(range, useNow(tick) + tick, device.span);
  inView.current = view;
  useEffect(() => onView({ from: view.from, to: view.to }), [onView, view.from, view.to]);

  const points = Math.min(MOST_POINTS, Math.max(FEWEST_POINTS, Math.ceil(width / POINTS_STEP) * POINTS_STEP));
  const history = useHistory(device.id, query, points);
  const units = fieldUnits(device);
  const charts = useMemo(() => {
    if (history.data === undefined) return undefined;
    return SHOWN_FIELDS.map(
      (field) =>
        [field, fieldData(history.data, field, device.usualIntervalMs)] as const satisfies [FieldName, unknown],
    );
  }, [history.data, device.usualIntervalMs]);
  // A field that the device never sends gets no empty chart.
  const sent = charts?.filter(
    ([field, data]) => data.summary !== null || data.sealed > 0 || device.newest[field] !== null,
  );
  const unsent = SHOWN_FIELDS.filter((field) => sent !== undefined && !sent.some(([name]) => name === field));

  return (
    <section aria-labelledby="charts-title" ref={ref} className={classes.section}>
      <Group gap="xs">
        <Title order={2} size="h4" id="charts-title">
          {t('chart.title')}
        </Title>
        {history.isPlaceholderData ? <Loader size="xs" aria-label={t('chart.loading')} /> : null}
      </Group>
      <RangeBar range={range} view={view} actions={actions} canGoBack={canGoBack} onRange={setRange} />
      {history.data?.axis === 'received' ? (
        <p className={classes.note}>
          <Icon name="clock" size={14} />
          {t('chart.receivedAxis')}
        </p>
      ) : null}
      {history.isError ? <ErrorState error={history.error} onRetry={() => void history.refetch()} /> : null}
      <div className={classes.charts} aria-busy={history.isFetching}>
        {sent === undefined
          ? history.isPending && SHOWN_FIELDS.map((field) => <Skeleton key={field} height={224} />)
          : sent.map(([field, data]) => (
              <FieldChart key={field} field={field} unit={units[field]} data={data} view={view} actions={actions} />
            ))}
      </div>
      {unsent.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t('chart.unsent', { fields: unsent.map((field) => t(`app:field.${field}`)).join(', ') })}
        </Text>
      )}
    </section>
  );
}
