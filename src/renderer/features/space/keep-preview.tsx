import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Retention } from '../../../shared/owner-api/retention.ts';
import type { RetentionPreview } from '../../../shared/owner-api/space.ts';
import { usePreviewRetention, useSetRetention } from '../../api/queries/space.ts';
import { CallFailure } from '../../components/failure.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './space.module.css';

/** Shows what the rules would delete. They can be saved only after the owner has seen it. */
export function KeepPreview({ rules, onCancel }: { rules: Retention; onCancel: () => void }) {
  const { t } = useTranslation(['space', 'app']);
  const preview = usePreviewRetention();
  const set = useSetRetention();
  const error = preview.error ?? set.error;
  const deletes = preview.data?.stores.some(({ readings }) => readings > 0) ?? false;
  return (
    <div className={classes.preview}>
      {preview.data === undefined ? null : <WouldGo preview={preview.data} />}
      <CallFailure error={error} />
      <Group gap="xs">
        {preview.data === undefined ? (
          <Button size="xs" loading={preview.isPending} onClick={() => preview.mutate(rules)}>
            {t('keep.look')}
          </Button>
        ) : (
          <Button
            size="xs"
            {...(deletes ? { color: 'red' } : {})}
            loading={set.isPending}
            onClick={() => set.mutate(rules)}
          >
            {deletes ? t('keep.confirm') : t('keep.save')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('app:common.cancel')}
        </Button>
      </Group>
    </div>
  );
}

function WouldGo({ preview }: { preview: RetentionPreview }) {
  const { t } = useTranslation('space');
  const format = useFormat();
  const found = preview.stores.filter(({ readings }) => readings > 0);
  if (found.length === 0) return <Text size="sm">{t('keep.nothing')}</Text>;
  return (
    <div role="status">
      {found.map(({ store, readings, bytes, devices }) => (
        <p key={store}>
          <strong>{t(`store.${store}`)}:</strong>{' '}
          {t('keep.wouldGo', {
            count: readings,
            number: format.integer(readings),
            devices: t('keep.devices', { count: devices.length, number: format.integer(devices.length) }),
            size: format.bytes(bytes),
          })}
        </p>
      ))}
      <p>{t('keep.backupFirst')}</p>
    </div>
  );
}
