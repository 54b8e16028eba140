import { Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useStorage } from '../../api/queries/overview.ts';
import { useSpace } from '../../api/queries/space.ts';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { DiskCard } from './disk-card.tsx';
import { KeepCard } from './keep-card.tsx';
import classes from './space.module.css';
import { StoreCard } from './store-card.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces('space');

/** What the data takes of the disk, and how long it is kept. */
export default function SpacePage() {
  const { t } = useTranslation('space');
  useTitle(t('title'));
  const { data: space, error, refetch } = useSpace();
  const room = useStorage().data?.room ?? null;
  if (space === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const bytesPerDay = space.stores.reduce((sum, store) => sum + growthOf(store), 0);
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      {room === null ? null : <DiskCard room={room} growth={bytesPerDay} />}
      {space.stores.map((store) => (
        <StoreCard key={store.store} space={store} growth={growthOf(store)} room={room} />
      ))}
      <KeepCard stores={space.stores.map(({ store }) => store)} />
    </div>
  );
}

/** The bytes that a store grows by a day: its readings of late, each of the size that a reading has on average. */
function growthOf({ bytes, unusedBytes, readingsPerDay, devices }: Parameters<typeof StoreCard>[0]['space']): number {
  const readings = devices.reduce((sum, device) => sum + device.readings, 0);
  return readings === 0 ? 0 : ((bytes - unusedBytes) / readings) * readingsPerDay;
}
