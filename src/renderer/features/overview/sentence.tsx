import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { openAlerts } from '../../../shared/alerts/open-alerts.ts';
import { isOpen } from '../../../shared/owner-data/task-states.ts';
import { worstFirst } from '../../alerts/list/order.ts';
import { useAlertWords } from '../../alerts/list/use-alert-words.ts';
import { useWellnessOf } from '../../alerts/use-wellness.ts';
import { useAlerts } from '../../api/queries/alerts.ts';
import { useTasks } from '../../api/queries/tasks.ts';
import { useToday } from '../../crops/use-days.ts';
import type { ListedDevice } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { deviceStatus } from '../../devices/status/status.ts';
import { WELLNESSES, type Wellness } from '../../devices/status/wellness.ts';
import { useFormat } from '../../format/format.ts';
import { wholeMinutes } from '../../format/spans.ts';
import { useNow } from '../../now.ts';
import classes from './overview.module.css';

/** Which devices are how; `unknown`: their nodes are not reached. Those that are switched off are not asked after. */
type Counts = Readonly<Record<Exclude<Wellness, 'off' | 'foreign'> | 'unknown', readonly ListedDevice[]>>;

const TOLD = [...WELLNESSES.filter((each) => each !== 'off' && each !== 'foreign'), 'unknown'] as (keyof Counts)[];

/** The owner's devices by how they are; null until that is known of all that are reached. */
function useCounts(devices: readonly ListedDevice[]): Counts | null {
  const wellnessOf = useWellnessOf();
  return useMemo(() => {
    const counts = Object.fromEntries(TOLD.map((each) => [each, [] as ListedDevice[]])) as Record<
      keyof Counts,
      ListedDevice[]
    >;
    for (const device of devices) {
      const wellness = device.mine ? wellnessOf(device) : 'foreign';
      if (wellness === undefined && device.node.link().state !== 'lost') return null;
      if (wellness !== 'foreign' && wellness !== 'off') counts[wellness ?? 'unknown'].push(device);
    }
    return counts;
  }, [devices, wellnessOf]);
}

/** Whether everything is well, in one sentence, and below it how it is with the others. */
export function Sentence({ devices }: { devices: readonly ListedDevice[] }) {
  const { t } = useTranslation('app');
  const counts = useCounts(devices);
  const what = useWhat();
  const tasks = useTasks();
  const today = useToday();
  if (counts === null) return <Title order={1}>{t('overview.title')}</Title>;
  const total = TOLD.reduce((sum, each) => sum + counts[each].length, 0);
  const { needsYou, well } = counts;
  const [first] = needsYou;
  const others = TOLD.filter((each) => each !== 'needsYou' && counts[each].length > 0);
  const due = tasks.filter((task) => isOpen(task, today)).length;
  const isAllWell = total > 0 && well.length === total;
  const rest = [
    ...(isAllWell ? [] : others.map((each) => t(`sentence.rest.${each}`, { count: counts[each].length }))),
    ...(due === 0 ? [] : [t('sentence.tasks', { count: due })]),
  ].join(' · ');
  let text: string;
  if (first !== undefined && needsYou.length === 1) {
    text = t('sentence.one', { count: total, name: nameOf(first), what: what(first) });
  } else if (needsYou.length > 1) text = t('sentence.some', { needing: needsYou.length, count: total });
  else if (isAllWell) text = t('sentence.well', { count: total, name: nameOf(well[0]!) });
  else text = t(total === 0 ? 'sentence.none' : 'sentence.nothing');
  return (
    <div className={classes.sentence} role="status">
      <Title order={1}>{text}</Title>
      {rest === '' ? null : <p>{rest}</p>}
    </div>
  );
}

/** Gives what is wrong with a device that needs its owner: "pH 4.9", "silent for 2 h". */
function useWhat() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const words = useAlertWords();
  const now = useNow(1000);
  const alerts = useAlerts().data ?? [];
  return (device: ListedDevice): string => {
    const [worst] = worstFirst(openAlerts(alerts).filter((alert) => alert.device === device.id));
    if (worst?.kind === 'range' && worst.value !== null) {
      return t('sentence.value', { field: words.fieldOf(worst), value: words.value(worst, worst.value) });
    }
    if (deviceStatus(device, device.node.lastKnown(now)) === 'silent') {
      const span = wholeMinutes(now - (device.lastReceivedAt ?? now));
      return t('sentence.silent', { span: format.duration(span) });
    }
    return t(device.clockNotSet ? 'badge.clock' : 'sentence.alert');
  };
}
