import { Skeleton, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cellSize, readCell } from '../../../../shared/h3.ts';
import { CopyButton } from '../../../components/codes/copy-button.tsx';
import { Card } from '../../../components/layout/card.tsx';
import classes from './about.module.css';

// Loaded on demand: the map and h3-js are larger than the rest of the page.
const CellMap = lazy(() => import('./map/cell-map.tsx'));

/** Shows the location that the device reports, an H3 cell, on a map and in words. */
export function LocationCard({ location, name }: { location: string | null; name: string }) {
  const { t } = useTranslation('device');
  if (location === null) {
    return (
      <Card level={3} title={t('location.title')}>
        <Text size="sm" c="dimmed">
          {t('location.none')}
        </Text>
      </Card>
    );
  }
  const cell = readCell(location);
  return (
    <Card level={3} title={t('location.title')}>
      <div className={classes.inline}>
        <Text size="sm">
          {cell.valid
            ? t('location.cell', { resolution: cell.resolution, size: t(`location.size.${cellSize(cell.resolution)}`) })
            : t('location.invalid')}
        </Text>
      </div>
      <div className={classes.inline}>
        <code className={classes.code}>{cell.index}</code>
        <CopyButton text={cell.index} label={t('location.copy')} />
        <Text size="xs" c="dimmed">
          {location}
        </Text>
      </div>
      {cell.valid ? <WhenSeen index={cell.index} name={name} /> : null}
    </Card>
  );
}

/** Loads the map when it is nearly in view: compiling h3-js takes as long as the rest of the page. */
function WhenSeen({ index, name }: { index: string; name: string }) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const [wasSeen, setWasSeen] = useState(false);
  if (entry?.isIntersecting === true && !wasSeen) setWasSeen(true);
  const waiting = <Skeleton height={280} />;
  return (
    <div ref={ref}>
      {wasSeen ? (
        <Suspense fallback={waiting}>
          <CellMap index={index} name={name} />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  );
}
