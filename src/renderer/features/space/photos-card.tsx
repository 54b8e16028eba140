import { NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { usePhotoSpace } from '../../api/queries/photos.ts';
import { useSetSettings, useSettings } from '../../api/queries/settings.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { failureText, useSettingsText } from '../../settings/problem-text.ts';
import { Fact } from './fact.tsx';
import classes from './space.module.css';

const GB = 1_000_000_000;
const BOUNDS = [GB / 4, GB / 2, GB, 2 * GB, 5 * GB, 10 * GB, 20 * GB, 50 * GB];

/** Shows the space that the journal's photos use, and their limit. */
export function PhotosCard() {
  const { t } = useTranslation('space');
  const format = useFormat();
  const { data } = usePhotoSpace();
  const settings = useSettings().data;
  if (data === undefined) return null;
  return (
    <Card title={t('photos.title')}>
      <dl className={classes.facts}>
        <Fact name={t('photos.count')}>{format.integer(data.photos)}</Fact>
        <Fact name={t('photos.size')}>
          {t('freeOf', { free: format.bytes(data.bytes), total: format.bytes(data.maxBytes) })}
        </Fact>
      </dl>
      {settings === undefined ? null : <Bound view={settings} />}
      <Text size="xs" c="dimmed">
        {t('photos.bound')}
      </Text>
    </Card>
  );
}

function Bound({ view }: { readonly view: SettingsView }) {
  const { t } = useTranslation('space');
  const settingsText = useSettingsText();
  const format = useFormat();
  const save = useSetSettings();
  const { value, source, variable } = view.settings.photosMaxBytes;
  const sizes = [...new Set([...BOUNDS, value])].toSorted((a, b) => a - b);
  const isPinned = source === 'environment';
  return (
    <NativeSelect
      maw={420}
      label={t('photos.most')}
      description={isPinned ? settingsText('problem.pinned', { variable: variable ?? '' }) : undefined}
      value={String(value)}
      data={sizes.map((bytes) => ({ value: String(bytes), label: format.bytes(bytes) }))}
      disabled={isPinned || save.isPending}
      error={save.isError ? failureText(settingsText, save.error, view) : undefined}
      onChange={(event) => save.mutate({ photosMaxBytes: Number(event.currentTarget.value) })}
    />
  );
}
