import { useMemo } from 'react';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { devicesOf, haveNights } from '../../../shared/owner-data/cycle-states.ts';
import { type CycleSums, sumsOf } from '../../../shared/owner-data/cycle-sums.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { stageRanges } from '../../../shared/wellness/stage-ranges.ts';
import { useRuleWords } from '../../alerts/rules/rule-words.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useKnownCycles } from '../../api/queries/cycles.ts';
import { useJournal } from '../../api/queries/journal.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { nameOf } from '../../devices/names.ts';
import { useDays } from '../../devices/use-day.ts';
import { useScalesOf } from '../../devices/use-scales.ts';
import { cycleName, placeName } from '../use-cycle-words.ts';
import { type CourseLine, courseRange, linesOf, useCourses } from './courses.tsx';
import { type StageShares, stageShares } from './stage-shares.ts';

/** A crop cycle with all of its data. */
export interface KnownCycle {
  readonly cycle: Cycle;
  readonly name: string;
  /** undefined if the place no longer exists. */
  readonly place: string | undefined;
  readonly devices: readonly DeviceSummary[];
  readonly sums: CycleSums;
  /** Whether older entries are missing because the node's answer has a limit. */
  readonly isCut: boolean;
  readonly lines: readonly CourseLine[];
  readonly stages: readonly StageShares[];
  /** The range in which to query its devices' values, and the function that takes the values. */
  readonly range: ReturnType<typeof courseRange>;
  readonly onCourse: ReturnType<typeof useCourses>['onCourse'];
  /** Why values can't be shown; null if there is no error. */
  readonly error: unknown;
}

/**
 * Returns a cycle with its sums and the values of its place; null if there is none with this id, undefined until it is
 * loaded.
 */
export function useCycle(id: string, now: number): KnownCycle | null | undefined {
  const cycles = useKnownCycles();
  const overview = useOverview().data;
  const { groups } = useOwnerChoices();
  const { courses, onCourse } = useCourses();
  const scalesOf = useScalesOf();
  const { rangeText } = useRuleWords();
  const days = useDays(haveNights(cycles ?? []));
  const cycle = cycles?.find((each) => each.id === id);
  const range = cycle === undefined ? null : courseRange(cycle, now);
  const [from, to] = [range?.from ?? 0, range?.to ?? 0];
  const only = cycle?.place.kind === 'device' ? cycle.place.device : null;
  const journal = useJournal({ device: only, from, to }).data;
  return useMemo(() => {
    if (overview === undefined || cycles === undefined) return undefined;
    if (cycle === undefined) return null;
    const devices = devicesOf(cycle, groups).flatMap(
      (each) => overview.devices.find((device) => device.id === each) ?? [],
    );
    const lines = devices.flatMap((device) => {
      const stages = stageRanges([cycle], device, groups, { dayIn: (zone) => days(device, zone), now });
      const course = courses[device.id];
      return course === undefined ? [] : linesOf(device, course, scalesOf(device), { rules: [], stages }, rangeText);
    });
    const named = devices.map((device) => ({ id: device.id, name: nameOf(device) }));
    return {
      ...{ cycle, devices, lines, onCourse, name: cycleName(cycle), place: placeName(cycle, named, groups) },
      sums: sumsOf(cycle, cycles, journal?.entries ?? [], groups),
      isCut: journal?.isCut === true,
      stages: stageShares(cycle, lines, now, days),
      range: { from, to },
      error: devices.map((device) => courses[device.id]?.error).find((each) => each != null) ?? null,
    };
  }, [cycle, cycles, overview, groups, courses, onCourse, scalesOf, rangeText, journal, from, to, now, days]);
}
