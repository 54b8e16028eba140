import { Button, Checkbox, Group, Loader, Skeleton, Text, Title } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ANY_FIELDS, type AnyField, isDerived } from '../../../../shared/measures/derived.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNode } from '../../../api/node-connection.ts';
import { FieldsChoice, OverlayChoice } from '../../../charts/range/chart-choices.tsx';
import type { ChartRange } from '../../../charts/range/chart-range.ts';
import { writeChartAddress } from '../../../charts/range/chart-url.ts';
import { type Earlier, shiftedLater } from '../../../charts/range/overlay.ts';
import { RangeBar } from '../../../charts/range/range-bar.tsx';
import { SpanHint } from '../../../charts/range/span-hint.tsx';
import { fieldData } from '../../../charts/series/chart-data.ts';
import { useSmallScreen } from '../../../components/browser/small-screen.ts';
import { Icon } from '../../../components/icon.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { SHOWN_FIELDS } from '../../../format/values.ts';
import type { Mark } from '../../../journal/marks.ts';
import { OpeningBar } from '../../../opening/opening-bar.tsx';
import { linkTo } from '../../../router/router.ts';
import classes from './charts-section.module.css';
import { FieldChart } from './field-chart.tsx';
import { useAllowed } from './use-allowed.ts';
import type { useCharts } from './use-charts.ts';

/** The charts that a phone shows at first: all of them would make the page several screens longer. */
const FIRST_CHARTS = 2;

interface Props {
  readonly device: DeviceDetail;
  readonly charts: ReturnType<typeof useCharts>;
  /** The owner's notes within the visible range. */
  readonly marks: readonly Mark[];
}

/** Shows a chart for each field that the device sends, all over the same range. */
export function ChartsSection({ device, charts, marks }: Props) {
  const { t } = useTranslation(['charts', 'app']);
  const { routeId } = useNode();
  const { range, setRange, fields, overlay, change, actions, view, canGoBack } = charts;
  const { history, counted, opened, earlier, ref, isAsSent, setAsSent } = charts;
  const format = useFormat();
  const scales = useScales(device);
  const allowed = useAllowed(device, scales);
  const isSmall = useSmallScreen();
  const [wantsAll, setWantsAll] = useState(false);
  const onOverlay = useCallback((next: typeof overlay) => change({ overlay: next }), [change]);
  const shown = opened.history;
  const drawn = useMemo(() => {
    if (shown === undefined) return undefined;
    return ANY_FIELDS.map(
      (field) =>
        [field, fieldData(shown, scales[field], device.usualIntervalMs)] as const satisfies [AnyField, unknown],
    );
  }, [shown, scales, device.usualIntervalMs]);
  const [before, beforeHistory] = [earlier?.overlay, earlier?.history];
  const behind = useMemo(() => {
    if (before === undefined) return undefined;
    return new Map(
      ANY_FIELDS.map((field): [AnyField, Earlier] => {
        const data = beforeHistory && fieldData(beforeHistory, scales[field], device.usualIntervalMs);
        return [field, { overlay: before, data: data === undefined ? null : shiftedLater(data, before) }];
      }),
    );
  }, [before, beforeHistory, scales, device.usualIntervalMs]);
  // Fields that the device never sends and fields that can't be derived get no empty chart.
  const sent = drawn?.filter(
    ([field, data]) =>
      data.times.length > 0 || (!isDerived(field) && (data.sealed.length > 0 || device.newest[field] !== null)),
  );
  const unsent = SHOWN_FIELDS.filter((field) => sent !== undefined && !sent.some(([name]) => name === field));

  const shownFields = sent?.filter(([field]) => fields?.includes(field) ?? true);
  const isShort = isSmall && !wantsAll && fields === undefined;
  const drawnFields = isShort ? shownFields?.slice(0, FIRST_CHARTS) : shownFields;
  const left = (shownFields?.length ?? 0) - (drawnFields?.length ?? 0);
  const stepMs = shown?.stepMs ?? null;

  return (
    <section aria-labelledby="charts-title" ref={ref} className={classes.section}>
      <Group gap="xs">
        <Title order={2} size="h4" id="charts-title">
          {t('chart.title')}
        </Title>
        <Button
          component="a"
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="compare" size={14} />}
          href={compareLink(device.id, routeId, shownFields ?? [], range)}
        >
          {t('compareLink')}
        </Button>
        {routeId === undefined && device.mine ? (
          <Button component="a" variant="subtle" size="compact-sm" href={reportLink(device.id, range)}>
            {t('reportLink')}
          </Button>
        ) : null}
        {history.isPlaceholderData ? <Loader size="xs" role="img" aria-label={t('chart.loading')} /> : null}
      </Group>
      <RangeBar range={range} view={view} actions={actions} canGoBack={canGoBack} onRange={setRange}>
        <OverlayChoice overlay={overlay} onChange={onOverlay} />
        <FieldsChoice
          offered={sent?.map(([field]) => field) ?? SHOWN_FIELDS}
          chosen={fields}
          labelOf={(field) => scales[field].label}
          onChange={(next) => change({ fields: next })}
        />
        {device.corrections.length === 0 ? null : (
          <Checkbox
            size="xs"
            label={t('chart.asSent')}
            checked={isAsSent}
            onChange={(event) => setAsSent(event.currentTarget.checked)}
          />
        )}
      </RangeBar>
      <SpanHint view={view} span={device.span} actions={actions} />
      {stepMs === null ? null : <p className={classes.note}>{t('stats.steps', { step: format.duration(stepMs) })}</p>}
      {history.data?.axis === 'received' ? (
        <p className={classes.note}>
          <Icon name="clock" size={14} />
          {t('chart.receivedAxis')}
        </p>
      ) : null}
      <OpeningBar opening={opened.opening} onStart={opened.start} onStop={opened.stop} />
      {history.isError ? <ErrorState error={history.error} onRetry={() => void history.refetch()} /> : null}
      <div className={classes.charts} aria-busy={history.isFetching}>
        {sent === undefined
          ? history.isPending &&
            SHOWN_FIELDS.slice(0, isShort ? FIRST_CHARTS : undefined).map((field) => (
              <Skeleton key={field} height={224} />
            ))
          : drawnFields?.map(([field, data]) => (
              <FieldChart
                key={field}
                field={field}
                scale={scales[field]}
                data={data}
                counted={counted}
                earlier={behind?.get(field) ?? null}
                allowed={allowed[field].bands}
                allowedText={allowed[field].text}
                marks={marks}
                view={view}
                actions={actions}
              />
            ))}
      </div>
      {left === 0 ? null : (
        <Button variant="default" onClick={() => setWantsAll(true)}>
          {t('chart.more', { count: left })}
        </Button>
      )}
      {sent !== undefined && sent.length > 0 && shownFields?.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('fields.noneHere')}
        </Text>
      ) : null}
      {device.span === null ? (
        <Text size="sm" c="dimmed">
          {t('chart.empty')}
        </Text>
      ) : unsent.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t('chart.unsent', { fields: unsent.map((field) => t(`app:field.${scales[field].label}`)).join(', ') })}
        </Text>
      )}
    </section>
  );
}

/** Returns the link to the printable report of the same range. */
function reportLink(id: string, range: ChartRange): string {
  const parameters = writeChartAddress(new URLSearchParams(), { range });
  return `${linkTo({ page: 'report', of: 'device', id })}?${parameters}`;
}

/** Returns the link to the comparison page, starting with the fields shown here. */
function compareLink(
  id: string,
  node: string | undefined,
  shown: readonly (readonly [AnyField, unknown])[],
  range: ChartRange,
): string {
  const parameters = writeChartAddress(new URLSearchParams(), { range });
  parameters.set(
    'lines',
    shown.map(([field]) => [id, field, ...(node === undefined ? [] : [node])].join(':')).join(','),
  );
  return `${linkTo({ page: 'compare' })}?${parameters}`;
}
