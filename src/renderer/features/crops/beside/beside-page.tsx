import { Button, Text, Title } from '@mantine/core';
import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { daysSincePlanting, spanOfCycle } from '../../../../shared/owner-data/cycle-states.ts';
import type { Band } from '../../../charts/drawing/allowed-bands.ts';
import type { FieldData } from '../../../charts/series/chart-data.ts';
import { SectionHead } from '../../../components/section-head.tsx';
import { EmptyState, PageLoading } from '../../../components/states.tsx';
import { CourseChart, type NamedLine } from '../../../crops/course/course-chart.tsx';
import { byField, CourseLoader } from '../../../crops/course/courses.tsx';
import { type KnownCycle, useCycle } from '../../../crops/course/use-cycle.ts';
import { useZoom } from '../../../crops/course/use-zoom.ts';
import { useDayText } from '../../../crops/use-days.ts';
import { nameOf } from '../../../devices/names.ts';
import { useNow } from '../../../now.ts';
import { linkTo } from '../../../router/router.ts';
import { useTitle } from '../../../router/title.ts';
import classes from '../crops.module.css';
import { differencesOf } from './differences.ts';
import { DifferencesTable, Outcome } from './differences-table.tsx';

await i18next.loadNamespaces(['crops', 'journal', 'alerting', 'charts', 'keyring']);

const MINUTE_MS = 60_000;
const LEAST_DAYS = 1;

/** Compares two crop cycles by days since planting: their values in one chart per field, and their differences. */
export default function BesidePage({ ids: [first, second] }: { readonly ids: readonly [string, string] }) {
  const { t } = useTranslation('crops');
  const now = useNow(MINUTE_MS);
  const a = useCycle(first, now);
  const b = useCycle(second, now);
  useTitle(t('besideTitle'));
  if (a === undefined || b === undefined) return <PageLoading />;
  if (a === null || b === null) {
    return (
      <EmptyState isPage icon="sprout" title={t('noSuchCycle')}>
        <a href={linkTo({ page: 'crops' })}>{t('toCrops')}</a>
      </EmptyState>
    );
  }
  return <Beside a={a} b={b} now={now} />;
}

interface Props {
  readonly a: KnownCycle;
  readonly b: KnownCycle;
  readonly now: number;
}

function Beside({ a, b, now }: Props) {
  const { t } = useTranslation('crops');
  const dayText = useDayText();
  const both = useMemo(() => [a, b], [a, b]);
  const names = useMemo(() => namesOf(a, b, dayText), [a, b, dayText]);
  const whole = useMemo(() => {
    const ends = both.map(({ cycle }) => daysSincePlanting(cycle)(spanOfCycle(cycle, now).to));
    return { from: 0, to: Math.ceil(Math.max(...ends)) };
  }, [both, now]);
  const { view, isZoomed, actions } = useZoom(whole, LEAST_DAYS);
  const lines = useMemo(() => both.flatMap((known, index) => byDay(known, names[index]!, now)), [both, names, now]);
  const panels = useMemo(() => byField(lines), [lines]);
  const differences = differencesOf(a, b, now);
  return (
    <div className={classes.wide}>
      <header className={classes.section}>
        <a className={classes.back} href={linkTo({ page: 'crops' })}>
          {t('toCrops')}
        </a>
        <Title order={1} size="h2">
          {t('besideTitle')}
        </Title>
        <Text size="sm">
          {both.map(({ cycle, place }, index) => (
            <span key={cycle.id}>
              {index === 0 ? null : ' · '}
              <a href={linkTo({ page: 'crops', cycle: cycle.id })}>{names[index]}</a>{' '}
              <span className={classes.dimmed}>
                {place ?? t('gone')}, {t('planted', { day: dayText(cycle.plantedAt) })}
              </span>
            </span>
          ))}
        </Text>
      </header>
      {both.map(({ devices, range, onCourse, cycle }) =>
        devices.map((device) => (
          <CourseLoader key={`${cycle.id} ${device.id}`} device={device} range={range} onCourse={onCourse} />
        )),
      )}
      <Outcome differences={differences} names={names} />
      <DifferencesTable differences={differences} names={names} />
      <section className={classes.section} aria-labelledby="by-day-title">
        <SectionHead id="by-day-title" title={t('byDay')}>
          {isZoomed ? (
            <Button size="xs" variant="default" onClick={actions.back}>
              {t('zoomBack')}
            </Button>
          ) : null}
        </SectionHead>
        <div className={classes.charts}>
          {panels.map((panel) => (
            <CourseChart
              key={panel[0]!.scale.field}
              lines={panel}
              view={view}
              start={0}
              marks={NO_MARKS}
              actions={actions}
              isByDay
            />
          ))}
        </div>
      </section>
    </div>
  );
}

const NO_MARKS: readonly never[] = [];

/** Returns distinct names for two cycles: crop and variety, with the place or the day of planting if needed. */
function namesOf(a: KnownCycle, b: KnownCycle, dayText: (day: string) => string): [string, string] {
  if (a.name !== b.name) return [a.name, b.name];
  const of = ({ name, place, cycle }: KnownCycle) =>
    `${name}, ${a.place === b.place || place === undefined ? dayText(cycle.plantedAt) : place}`;
  return [of(a), of(b)];
}

/** Returns the lines of a cycle with days since planting instead of times. */
function byDay({ cycle, lines, devices }: KnownCycle, name: string, now: number): (NamedLine & { device: string })[] {
  const dayAt = daysSincePlanting(cycle);
  const end = dayAt(spanOfCycle(cycle, now).to);
  return lines.map(({ device, scale, data, allowed }) => {
    const days: FieldData = {
      ...data,
      times: data.times.map(dayAt),
      sealed: data.sealed.map(({ time, count }) => ({ time: dayAt(time), count })),
    };
    const bands = allowed.bands.map(
      (band): Band => ({
        ...band,
        from: band.from === undefined ? 0 : dayAt(band.from),
        to: band.to === undefined ? end : dayAt(band.to),
      }),
    );
    const label = devices.length === 1 ? name : `${name}, ${nameOf(device)}`;
    return { device: device.id, name: label, scale, data: days, allowed: { ...allowed, bands } };
  });
}
