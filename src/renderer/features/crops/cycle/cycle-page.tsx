import { Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import i18next from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../shared/display-text.ts';
import { daysOf, spanOfCycle, stageAt } from '../../../../shared/owner-data/cycle-states.ts';
import { sumsByMonth } from '../../../../shared/owner-data/cycle-sums.ts';
import { dayOf } from '../../../../shared/owner-data/days.ts';
import { OwnerOnly } from '../../../api/me.tsx';
import { useOwnerChoices } from '../../../api/queries/choices.ts';
import { useOverview } from '../../../api/queries/overview.ts';
import { SectionHead } from '../../../components/section-head.tsx';
import { EmptyState, ErrorState, PageLoading } from '../../../components/states.tsx';
import { CourseChart } from '../../../crops/course/course-chart.tsx';
import { byField, CourseLoader } from '../../../crops/course/courses.tsx';
import { StageBar } from '../../../crops/course/stage-bar.tsx';
import { MonthsTable, StagesTable } from '../../../crops/course/tables.tsx';
import { type KnownCycle, useCycle } from '../../../crops/course/use-cycle.ts';
import { useZoom } from '../../../crops/course/use-zoom.ts';
import { useCycleFacts } from '../../../crops/use-cycle-words.ts';
import { nameOf } from '../../../devices/names.ts';
import { JournalSection } from '../../../journal/journal-section.tsx';
import { isMainEvent, marksIn } from '../../../journal/marks.ts';
import { useNow } from '../../../now.ts';
import { linkTo } from '../../../router/router.ts';
import { useTitle } from '../../../router/title.ts';
import classes from '../crops.module.css';
import { CycleDialog } from '../cycle-dialog.tsx';
import { CompareMenu, Facts, PlaceAndDays } from '../cycle-parts.tsx';
import { HarvestDialog } from '../harvest-dialog.tsx';

await i18next.loadNamespaces(['crops', 'journal', 'alerting', 'charts', 'compare', 'keyring']);

const MINUTE_MS = 60_000;
const LEAST_VIEW_MS = 6 * 3_600_000;
/** A crop cycle from planting to its end: its result, its stages, the values of its place and its journal entries. */
export default function CyclePage({ id }: { readonly id: string }) {
  const { t } = useTranslation('crops');
  const now = useNow(MINUTE_MS);
  const known = useCycle(id, now);
  useTitle(known == null ? null : known.name);
  if (known === undefined) return <PageLoading />;
  if (known === null) {
    return (
      <EmptyState isPage icon="sprout" title={t('noSuchCycle')}>
        <a href={linkTo({ page: 'crops' })}>{t('toCrops')}</a>
      </EmptyState>
    );
  }
  return (
    <div className={classes.wide}>
      <Header known={known} now={now} />
      {known.devices.map((device) => (
        <CourseLoader key={device.id} device={device} range={known.range} onCourse={known.onCourse} />
      ))}
      {known.error === null ? null : <ErrorState error={known.error} />}
      <Course known={known} now={now} />
    </div>
  );
}

interface PartProps {
  readonly known: KnownCycle;
  readonly now: number;
}

function Header({ known: { cycle, name, place, devices, sums }, now }: PartProps) {
  const { t } = useTranslation(['crops', 'app']);
  const facts = useCycleFacts()(cycle, sums, now);
  const { groups } = useOwnerChoices();
  const overview = useOverview().data;
  const [open, setOpen] = useState<'edit' | 'harvest' | null>(null);
  const stage = stageAt(cycle, now);
  return (
    <header className={classes.section}>
      <a className={classes.back} href={linkTo({ page: 'crops' })}>
        {t('toCrops')}
      </a>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2">
            {name}
          </Title>
          <Text size="sm" c="dimmed">
            <PlaceAndDays cycle={cycle} place={place} devices={devices.map(({ id }) => id)} />
            {cycle.endedAt === null
              ? ` · ${t('app:card.day', { day: daysOf(cycle, dayOf(now, cycle.zone)) + 1 })}`
              : null}
            {stage === null ? null : ` · ${stage.name}`}
          </Text>
        </div>
        <Group gap="xs">
          <CompareMenu cycle={cycle} size="xs" />
          <Button
            component="a"
            size="xs"
            variant="default"
            href={linkTo({ page: 'report', of: 'cycle', id: cycle.id })}
          >
            {t('report.open')}
          </Button>
          <OwnerOnly>
            <Button size="xs" variant="default" onClick={() => setOpen('harvest')}>
              {t('harvest.add')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
              {t('cycle.edit')}
            </Button>
          </OwnerOnly>
        </Group>
      </Group>
      <Facts facts={facts} className={classes.result} />
      {open === 'harvest' ? (
        <HarvestDialog
          {...{ cycle, now }}
          devices={devices.map((device) => ({ id: device.id, name: nameOf(device) }))}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === 'edit' ? (
        <CycleDialog
          {...{ cycle, groups, last: null, today: cycle.plantedAt }}
          devices={(overview?.devices ?? devices)
            .filter(({ mine }) => mine)
            .map((device) => ({ id: device.id, name: nameOf(device) }))}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </header>
  );
}

function Course({ known: { cycle, devices, lines, stages, sums, isCut }, now }: PartProps) {
  const { t } = useTranslation('crops');
  const whole = useMemo(() => spanOfCycle(cycle, now + MINUTE_MS), [cycle, now]);
  const { view, isZoomed, actions } = useZoom(whole, LEAST_VIEW_MS);
  const [shown, setShown] = useState<'main' | 'all'>('main');
  const marks = useMemo(() => marksIn(sums.entries, whole), [sums, whole]);
  const drawn = useMemo(
    () => (shown === 'all' ? marks : marks.filter(({ entry }) => isMainEvent(entry))),
    [marks, shown],
  );
  const panels = useMemo(() => byField(lines.map((line) => ({ ...line, name: nameOf(line.device) }))), [lines]);
  const inView = useMemo(
    () => marks.filter(({ entry }) => entry.at >= view.from && entry.at <= view.to),
    [marks, view],
  );
  const named = devices.map((device) => ({ id: device.id, name: nameOf(device) }));
  const months = sumsByMonth(sums.counted, cycle.zone);
  return (
    <>
      <section className={classes.section} aria-labelledby="course-title">
        <SectionHead id="course-title" title={t('course')}>
          <Group gap="xs">
            {isZoomed ? (
              <Button size="xs" variant="default" onClick={actions.back}>
                {t('zoomBack')}
              </Button>
            ) : null}
            <SegmentedControl
              size="xs"
              aria-label={t('eventsShown')}
              value={shown}
              onChange={(value) => setShown(value === 'all' ? 'all' : 'main')}
              data={(['main', 'all'] as const).map((value) => ({ value, label: t(`events.${value}`) }))}
            />
          </Group>
        </SectionHead>
        <StageBar cycle={cycle} view={view} now={now} />
        <div className={classes.charts}>
          {panels.map((panel) => (
            <CourseChart
              key={panel[0]!.field}
              lines={panel}
              view={view}
              start={whole.from}
              marks={drawn}
              actions={actions}
            />
          ))}
        </div>
      </section>
      <section className={classes.tables}>
        {stages.length === 0 ? null : <StagesTable stages={stages} />}
        {months.length === 0 ? null : <MonthsTable months={months} />}
      </section>
      <div className={classes.log}>
        <JournalSection
          view={view}
          marks={inView}
          isUnknown={false}
          isCut={isCut}
          devices={named}
          cycle={cycle.place.kind === 'group' ? cycle.id : undefined}
          nameOf={(device) => named.find((each) => each.id === device)?.name ?? shortId(device)}
        />
      </div>
    </>
  );
}
