import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { openAlerts, worstFirst } from '../../../shared/alerts/open-alerts.ts';
import { isOpen } from '../../../shared/owner-data/task-states.ts';
import { COUNTED, type Counted, sentenceOf, whatIsWrong } from '../../../shared/wellness/sentence.ts';
import { deviceStatus } from '../../../shared/wellness/status.ts';
import { useAlertWords } from '../../alerts/list/use-alert-words.ts';
import { useWellnesses } from '../../alerts/use-wellness.ts';
import { useAlerts } from '../../api/queries/alerts.ts';
import { useTasks } from '../../api/queries/tasks.ts';
import { useToday } from '../../crops/use-days.ts';
import type { ListedDevice } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import { useNow } from '../../now.ts';
import classes from './overview.module.css';

type Counts = Readonly<Record<Counted, readonly ListedDevice[]>>;

/** Groups the owner's devices by state. Returns null until the state of every device at a reachable node is known. */
function useCounts(devices: readonly ListedDevice[]): Counts | null {
  const wellnesses = useWellnesses(devices);
  return useMemo(() => {
    const counts = Object.fromEntries(COUNTED.map((each) => [each, [] as ListedDevice[]])) as Record<
      Counted,
      ListedDevice[]
    >;
    for (const [index, device] of devices.entries()) {
      const wellness = device.mine ? wellnesses[index] : 'foreign';
      if (wellness === undefined && device.node.link().state !== 'lost') return null;
      if (wellness !== 'foreign' && wellness !== 'off') counts[wellness ?? 'unknown'].push(device);
    }
    return counts;
  }, [devices, wellnesses]);
}

/** Says in one sentence whether everything is well, and below it the state of the other devices. */
export function Sentence({ devices }: { devices: readonly ListedDevice[] }) {
  const { t } = useTranslation('app');
  const counts = useCounts(devices);
  const what = useWhat();
  const tasks = useTasks();
  const today = useToday();
  if (counts === null) return <Title order={1}>{t('overview.title')}</Title>;
  const [first] = counts.needsYou;
  const [well] = counts.well;
  const { text, rest } = sentenceOf(t, {
    counts: Object.fromEntries(COUNTED.map((each) => [each, counts[each].length])) as Record<Counted, number>,
    needing: first === undefined ? null : { name: nameOf(first), what: what(first) },
    well: well === undefined ? '' : nameOf(well),
    tasksDue: tasks.filter((task) => isOpen(task, today)).length,
  });
  return (
    <div className={classes.sentence} role="status">
      <Title order={1}>{text}</Title>
      {rest === '' ? null : <p>{rest}</p>}
    </div>
  );
}

/** Returns a function that says what is wrong with a device that needs its owner: "pH 4.9", "silent for 2 h". */
function useWhat() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const words = useAlertWords();
  const now = useNow(1000);
  const alerts = useAlerts().data ?? [];
  return (device: ListedDevice): string => {
    const [worst] = worstFirst(openAlerts(alerts).filter((alert) => alert.device === device.id));
    const isSilent = deviceStatus(device, device.node.lastKnown(now)) === 'silent';
    const silentMs = isSilent ? now - (device.lastReceivedAt ?? now) : null;
    return whatIsWrong(t, format, { worst, silentMs, clockNotSet: device.clockNotSet }, (alert, value) => ({
      field: words.fieldOf(alert),
      value: words.value(alert, value),
    }));
  };
}
