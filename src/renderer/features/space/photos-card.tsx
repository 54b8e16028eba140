import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePhotoSpace } from '../../api/queries/photos.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { Fact } from './fact.tsx';
import classes from './space.module.css';

/** The space that the photos of the log take, and their bound. */
export function PhotosCard() {
  const { t } = useTranslation('space');
  const format = useFormat();
  const { data } = usePhotoSpace();
  if (data === undefined) return null;
  return (
    <Card title={t('photos.title')}>
      <dl className={classes.facts}>
        <Fact name={t('photos.count')}>{format.integer(data.photos)}</Fact>
        <Fact name={t('photos.size')}>
          {t('freeOf', { free: format.bytes(data.bytes), total: format.bytes(data.maxBytes) })}
        </Fact>
      </dl>
      <Text size="xs" c="dimmed">
        {t('photos.bound')}
      </Text>
    </Card>
  );
}
