import { Stack, Text, Title } from '@mantine/core';
import i18next from 'i18next';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { Comparison } from '../../../shared/owner-data/choices.ts';
import { NodeProvider, useNode } from '../../api/node-connection.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useJournal } from '../../api/queries/journal.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { panelsOf } from '../../charts/drawing/panels.ts';
import { pointsIn, useWidth } from '../../charts/drawing/use-width.ts';
import { resolveRange, tickMs } from '../../charts/range/chart-range.ts';
import { writeChartAddress } from '../../charts/range/chart-url.ts';
import { RangeBar } from '../../charts/range/range-bar.tsx';
import { SpanHint } from '../../charts/range/span-hint.tsx';
import { useChartRange } from '../../charts/range/use-chart-range.ts';
import { EmptyState, ErrorState, PageLoading } from '../../components/states.tsx';
import { listKey, useHiddenKeys, useListedDevices } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { useInOrder } from '../../devices/selection/use-selection.ts';
import { JournalSection } from '../../journal/journal-section.tsx';
import { marksIn } from '../../journal/marks.ts';
import { useNow } from '../../now.ts';
import { setParameters, useParameters } from '../../router/parameters.ts';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import classes from './compare.module.css';
import { DeviceValuesLoader } from './lines/device-values.tsx';
import { LinePicker } from './lines/line-picker.tsx';
import { isSameLine, type LineId, lineText, readLines, writeLines } from './lines/lines-url.ts';
import { lineKey, spanOf, useCompared } from './lines/use-compared.ts';
import { Panel } from './panel.tsx';
import { SavedBar } from './saved/saved-bar.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['compare', 'charts', 'journal', 'keyring']);

const PATH = linkTo({ page: 'compare' });
const SAVED = 'saved';

/** Compares fields of any devices over the same time: one chart per unit, with a shared time axis and cursor. */
export default function ComparePage() {
  const { t } = useTranslation('compare');
  useTitle(t('title'));
  const { clock } = useNode();
  const overview = useOverview();
  const { groups } = useOwnerChoices();
  const parameters = useParameters(PATH);
  const named = useMemo(() => new URLSearchParams(parameters), [parameters]);
  const linesText = named.get('lines') ?? '';
  const ids = useMemo(() => readLines(new URLSearchParams({ lines: linesText })), [linesText]);
  const devices = useListedDevices();
  const hidden = useHiddenKeys();
  const inOrder = useInOrder(devices);
  const { lines, unknown, onValues } = useCompared(ids, devices);

  const chosen = useChartRange(PATH);
  const { range, setRange, actions, canGoBack, firstWeekday } = chosen;
  const tick = useNow(tickMs(range));
  const newest = Math.max(0, ...lines.map(({ device }) => device.lastReceivedAt ?? 0));
  // The page only estimates the node's clock, so its time may be slightly before the newest reading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick and the reading tell when to look at the time
  const now = useMemo(() => Math.max(clock.now(), newest), [clock, tick, range, newest]);
  const span = useMemo(() => spanOf(lines), [lines]);
  const { view, query } = resolveRange(range, now, span, firstWeekday);
  chosen.view.current = view;
  chosen.span.current = span;

  const { ref, width } = useWidth();
  const points = pointsIn(width);
  const panels = useMemo(() => panelsOf(lines), [lines]);
  const shown = useMemo(
    () => inOrder.filter((device) => ids.some((id) => lineKey(id) === listKey(device))),
    [inOrder, ids],
  );
  const { data: journal, isError: isUnknown } = useJournal({ device: null, from: query.from, to: query.to });
  const { from, to } = view;
  const marks = useMemo(() => {
    const isShown = (device: string | null) => device === null || shown.some(({ id }) => id === device);
    return marksIn(
      (journal?.entries ?? []).filter(({ device }) => isShown(device)),
      { from, to },
    );
  }, [journal, shown, from, to]);

  const setLines = useCallback(
    (next: readonly LineId[]) => setParameters(PATH, (before) => writeLines(before, next), 'step'),
    [],
  );
  const open = (comparison: Comparison | null): void =>
    setParameters(
      PATH,
      (before) => {
        if (comparison === null) {
          const without = new URLSearchParams(before);
          without.delete(SAVED);
          return without;
        }
        const written = writeLines(new URLSearchParams(comparison.range), comparison.lines);
        written.set(SAVED, comparison.id);
        return written;
      },
      'step',
    );

  if (overview.data === undefined) {
    if (overview.error === null) return <PageLoading />;
    return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  }
  const nameFor = (id: string): string => {
    const device = devices.find((each) => each.id === id);
    return device === undefined ? shortId(id) : nameOf(device);
  };
  return (
    <Stack ref={ref} gap="md" className={classes.page ?? ''}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      <SavedBar
        shown={{ lines: [...ids], range: writeChartAddress(new URLSearchParams(), { range }).toString() }}
        openedId={named.get(SAVED)}
        onOpen={open}
      />
      <LinePicker devices={inOrder} groups={groups} lines={ids} onAdd={(added) => setLines([...ids, ...added])} />
      <RangeBar range={range} view={view} actions={actions} canGoBack={canGoBack} onRange={setRange} />
      <SpanHint view={view} span={span} actions={actions} />
      {shown.map((device) => (
        <NodeProvider key={listKey(device)} value={device.node}>
          <DeviceValuesLoader
            device={device}
            query={query}
            view={view}
            points={points}
            choice={range}
            onValues={onValues}
          />
        </NodeProvider>
      ))}
      {unknown.map((id) => (
        <Text key={lineText(id)} size="sm" role="status">
          {t(hidden.has(lineKey(id)) ? 'hidden' : 'unknown', { device: shortId(id.device) })}{' '}
          <button
            type="button"
            className={classes.drop}
            onClick={() => setLines(ids.filter((each) => !isSameLine(each, id)))}
          >
            {t('drop')}
          </button>
        </Text>
      ))}
      {ids.length === 0 ? (
        <EmptyState icon="compare" title={t('none')}>
          {t('noneText')}
        </EmptyState>
      ) : (
        panels.map((panel) => (
          <Panel
            key={panel.map(({ id }) => lineText(id)).join()}
            lines={panel}
            view={view}
            end={query.to}
            marks={marks}
            actions={actions}
            onRemove={(line) => setLines(ids.filter((each) => !isSameLine(each, line)))}
          />
        ))
      )}
      {ids.length === 0 ? null : (
        <JournalSection
          view={view}
          marks={marks}
          isUnknown={journal === undefined && isUnknown}
          isCut={journal?.isCut === true}
          devices={shown.map((device) => ({ id: device.id, name: nameOf(device) }))}
          nameOf={nameFor}
        />
      )}
    </Stack>
  );
}
