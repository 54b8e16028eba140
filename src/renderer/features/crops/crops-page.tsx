import { Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useOverview } from '../../api/queries/overview.ts';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { nameOf } from '../../devices/names.ts';
import { useTitle } from '../../router/title.ts';
import classes from './crops.module.css';
import { CyclesSection } from './cycles-section.tsx';
import { TasksSection } from './tasks-section.tsx';

// The dialogs of crop cycles name crops with these texts.
await i18next.loadNamespaces(['crops', 'journal', 'alerting']);

/** The page of the tasks and the crop cycles of all places. */
export default function CropsPage() {
  const { t } = useTranslation('app');
  const { data, error, refetch } = useOverview();
  useTitle(t('crops.title'));
  if (data === undefined)
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  const devices = data.devices
    .filter(({ mine }) => mine)
    .map((device) => ({ id: device.id, name: nameOf(device), summary: device }));
  return (
    <div className={classes.page}>
      <Title order={1}>{t('crops.title')}</Title>
      <TasksSection devices={devices} />
      <CyclesSection devices={devices} />
    </div>
  );
}
