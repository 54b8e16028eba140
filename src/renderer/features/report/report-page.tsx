import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import { haveNights, spanOfCycle } from '../../../shared/owner-data/cycle-states.ts';
import { concerns, sumsByMonth } from '../../../shared/owner-data/cycle-sums.ts';
import { stageRanges } from '../../../shared/wellness/stage-ranges.ts';
import { useRuleWords } from '../../alerts/rules/rule-words.ts';
import { useRangesOf } from '../../alerts/rules/use-ranges.ts';
import { useNode } from '../../api/node-connection.ts';
import { useAlertsBetween } from '../../api/queries/alerts.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import { useJournal } from '../../api/queries/journal.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { resolveRange, tickMs } from '../../charts/range/chart-range.ts';
import { RangeBar } from '../../charts/range/range-bar.tsx';
import { useChartRange } from '../../charts/range/use-chart-range.ts';
import type { View } from '../../charts/view.ts';
import { EmptyState, PageLoading } from '../../components/states.tsx';
import { byField, type CourseLine, CourseLoader, linesOf, useCourses } from '../../crops/course/courses.tsx';
import { StageBar } from '../../crops/course/stage-bar.tsx';
import { MonthsTable, StagesTable } from '../../crops/course/tables.tsx';
import { useCycle } from '../../crops/course/use-cycle.ts';
import { useCycleFacts } from '../../crops/use-cycle-words.ts';
import { useDayText } from '../../crops/use-days.ts';
import { nameOf } from '../../devices/names.ts';
import { useDays } from '../../devices/use-day.ts';
import { useScalesOf } from '../../devices/use-scales.ts';
import { useFormat } from '../../format/format.ts';
import { isMainEvent, type Mark, marksIn } from '../../journal/marks.ts';
import { useNow } from '../../now.ts';
import { linkTo } from '../../router/router.ts';
import { PaperChart } from './paper-chart.tsx';
import classes from './report.module.css';
import { AlertsTable, EntriesTable, ValuesTable } from './report-tables.tsx';
import { Sheet } from './sheet.tsx';

await i18next.loadNamespaces(['crops', 'journal', 'alerting', 'charts', 'keyring']);

const MINUTE_MS = 60_000;

interface Props {
  readonly of: 'cycle' | 'device' | 'group';
  readonly id: string;
}

/** A report to print: of a crop cycle, or of a place over a time range. */
export default function ReportPage({ of, id }: Props) {
  return of === 'cycle' ? <CycleReport id={id} /> : <PlaceReport of={of} id={id} />;
}

function Gone() {
  const { t } = useTranslation('crops');
  return (
    <EmptyState isPage icon="search" title={t('report.gone')}>
      <a href={linkTo({ page: 'crops' })}>{t('toCrops')}</a>
    </EmptyState>
  );
}

function CycleReport({ id }: { readonly id: string }) {
  const { t } = useTranslation('crops');
  const now = useNow(MINUTE_MS);
  const dayText = useDayText();
  const factsOf = useCycleFacts();
  const known = useCycle(id, now);
  if (known === undefined) return <PageLoading />;
  if (known === null) return <Gone />;
  const { cycle, name, place, devices, lines, stages, sums, range, onCourse } = known;
  const view = spanOfCycle(cycle, now + MINUTE_MS);
  const months = sumsByMonth(sums.counted, cycle.zone);
  const days =
    cycle.endedAt === null
      ? t('planted', { day: dayText(cycle.plantedAt) })
      : t('plantedEnded', { from: dayText(cycle.plantedAt), to: dayText(cycle.endedAt) });
  return (
    <Sheet
      title={name}
      subtitle={`${place ?? t('gone')} · ${days}`}
      back={{ href: linkTo({ page: 'crops', cycle: id }), text: name }}
      isLoading={devices.length > 0 && lines.length === 0}
    >
      {devices.map((device) => (
        <CourseLoader key={device.id} device={device} range={range} onCourse={onCourse} />
      ))}
      <dl className={classes.facts}>
        {factsOf(cycle, sums, now).map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {stages.length === 0 ? null : (
        <section className={classes.part}>
          <StageBar cycle={cycle} view={view} now={now} />
          <StagesTable stages={stages} />
        </section>
      )}
      {months.length === 0 ? null : (
        <section className={classes.part}>
          <MonthsTable months={months} />
        </section>
      )}
      <Parts lines={lines} view={view} marks={marksIn(sums.entries, view)} devices={devices} />
    </Sheet>
  );
}

function PlaceReport({ of, id }: { readonly of: 'device' | 'group'; readonly id: string }) {
  const { t } = useTranslation('crops');
  const format = useFormat();
  const { clock } = useNode();
  const overview = useOverview().data;
  const { groups } = useOwnerChoices();
  const cycles = useCycles();
  const { courses, onCourse } = useCourses();
  const scalesOf = useScalesOf();
  const rangesOf = useRangesOf();
  const days = useDays(haveNights(cycles));
  const { rangeText } = useRuleWords();
  const group = groups.find((each) => each.id === id);
  const devices = useMemo(() => {
    const ids = of === 'device' ? [id] : (group?.devices ?? []);
    return ids.flatMap((each) => overview?.devices.find((device) => device.id === each) ?? []);
  }, [of, id, group, overview]);
  const chosen = useChartRange(linkTo({ page: 'report', of, id }));
  const { range, setRange, actions, canGoBack, firstWeekday } = chosen;
  const tick = useNow(Math.max(MINUTE_MS, tickMs(range)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick tells when to look at the time
  const now = useMemo(() => clock.now(), [clock, tick, range]);
  const oldest = devices.flatMap((device) => courses[device.id]?.history?.times[0] ?? []);
  const span = oldest.length === 0 ? null : { from: Math.min(...oldest), to: now };
  const { view, query } = resolveRange(range, now, span, firstWeekday);
  chosen.view.current = view;
  chosen.span.current = span;
  const [from, to] = [query.from, query.to];
  const asked = useMemo(() => ({ from, to: to ?? (from === null ? null : view.to) }), [from, to, view.to]);
  const lines = useMemo(
    () =>
      devices.flatMap((device) => {
        const stages = stageRanges(cycles, device, groups, { dayIn: (zone) => days(device, zone), now: clock.now() });
        const course = courses[device.id];
        if (course === undefined) return [];
        return linesOf(device, course, scalesOf(device), { rules: rangesOf(device), stages }, rangeText);
      }),
    [devices, cycles, groups, courses, scalesOf, rangesOf, rangeText, days, clock],
  );
  const journal = useJournal({ device: of === 'device' ? id : null, from, to }).data;
  const marks = useMemo(() => {
    const isOf = (device: string | null) => device === null || devices.some((each) => each.id === device);
    return marksIn(
      (journal?.entries ?? []).filter(
        (entry) => isOf(entry.device) && devices.some(({ id: each }) => concerns(each, entry, cycles, groups)),
      ),
      view,
    );
  }, [journal, devices, view, cycles, groups]);
  if (overview === undefined) return <PageLoading />;
  if (devices.length === 0) return <Gone />;
  const title = group?.name ?? nameOf(devices[0]!);
  const back = of === 'device' ? linkTo({ page: 'device', id }) : linkTo({ page: 'overview' });
  return (
    <Sheet
      title={title}
      subtitle={t('report.range', { from: format.dateTime(view.from), to: format.dateTime(view.to) })}
      back={{ href: back, text: title }}
      isLoading={lines.length === 0}
      controls={<RangeBar range={range} view={view} actions={actions} canGoBack={canGoBack} onRange={setRange} />}
    >
      {devices.map((device) => (
        <CourseLoader key={device.id} device={device} range={asked} onCourse={onCourse} />
      ))}
      <Parts lines={lines} view={view} marks={marks} devices={devices} />
    </Sheet>
  );
}

interface PartsProps {
  readonly lines: readonly CourseLine[];
  readonly view: View;
  readonly marks: readonly Mark[];
  readonly devices: readonly Parameters<typeof nameOf>[0][];
}

/** The parts of every report: values, charts, alerts, journal. */
function Parts({ lines, view, marks, devices }: PartsProps) {
  const { t } = useTranslation(['crops', 'app']);
  const alerts = useAlertsBetween(
    devices.map(({ id }) => id),
    view.from,
    view.to,
  );
  const panels = useMemo(() => byField(lines.map((line) => ({ ...line, name: nameOf(line.device) }))), [lines]);
  const nameFor = (device: string | null): string => {
    const found = devices.find(({ id }) => id === device);
    return device === null ? t('allPlaces') : found === undefined ? shortId(device) : nameOf(found);
  };
  const main = marks.filter(({ entry }) => isMainEvent(entry));
  return (
    <>
      <section>
        <h2>{t('report.values')}</h2>
        <ValuesTable lines={lines} view={view} />
      </section>
      <section>
        <h2>{t('report.charts')}</h2>
        {panels.map((panel) => (
          <PaperChart key={panel[0]!.field} lines={panel} view={view} marks={main} />
        ))}
      </section>
      <section>
        <h2>{t('report.alerts')}</h2>
        {alerts === undefined ? null : <AlertsTable alerts={alerts} />}
      </section>
      <section>
        <h2>{t('report.log')}</h2>
        <EntriesTable marks={marks} placeOf={devices.length > 1 ? nameFor : null} />
      </section>
    </>
  );
}
