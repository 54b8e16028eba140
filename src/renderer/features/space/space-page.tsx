import { Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useStorage } from '../../api/queries/overview.ts';
import { useSpace } from '../../api/queries/space.ts';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { DiskCard } from './disk-card.tsx';
import { KeepCard } from './keep-card.tsx';
import { PhotosCard } from './photos-card.tsx';
import classes from './space.module.css';
import { StoreCard } from './store-card.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces('space');

/** The page of the disk space that the data uses, and how long the data is kept. */
export default function SpacePage() {
  const { t } = useTranslation('space');
  useTitle(t('title'));
  const { data: space, error, refetch } = useSpace();
  const room = useStorage().data?.room ?? null;
  if (space === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const growth = space.stores.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0);
  const unused = space.stores.reduce((sum, { unusedBytes }) => sum + unusedBytes, 0);
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      {room === null ? null : <DiskCard room={room} unusedBytes={unused} growth={growth} />}
      {space.stores.map((store) => (
        <StoreCard key={store.store} space={store} room={room} />
      ))}
      <PhotosCard />
      <KeepCard stores={space.stores.map(({ store }) => store)} />
    </div>
  );
}
