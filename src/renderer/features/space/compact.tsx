import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COMPACT_ROOM_FACTOR } from '../../../shared/owner-api/limits.ts';
import type { Space } from '../../../shared/owner-api/space.ts';
import type { Room } from '../../../shared/owner-api/storage.ts';
import { useCareState, useCompactStore } from '../../api/queries/space.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { CallFailure, Failure } from '../../components/failure.tsx';
import { useFormat } from '../../format/format.ts';

/** The minimum unused space that justifies the pause for compacting, in bytes. */
const WORTH_COMPACTING_BYTES = 1_000_000;

/** Returns the unused space of a store to the disk, after explaining to the owner what that requires. */
export function Compact({ space, room }: { space: Space['stores'][number]; room: Room | null }) {
  const { t } = useTranslation(['space', 'app']);
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  const compact = useCompactStore();
  const running = useCareState().data?.compacting ?? null;
  const needed = space.bytes * COMPACT_ROOM_FACTOR;
  const hasRoom = room === null || room.freeBytes >= needed;
  const start = () => compact.mutate(space.store, { onSuccess: () => setAsking(false) });
  if (running === space.store && !isAsking) return <p role="status">{t('compact.running')}</p>;
  return (
    <div>
      {space.unusedBytes < WORTH_COMPACTING_BYTES ? null : (
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          {t('compact.action', { size: format.bytes(space.unusedBytes) })}
        </Button>
      )}
      {compact.isSuccess ? (
        <Text size="sm" role="status">
          {t('compact.done', { size: format.bytes(compact.data.before - compact.data.after) })}
        </Text>
      ) : null}
      {isAsking ? (
        <Dialog onClose={() => setAsking(false)} title={t('compact.title')}>
          <Text size="sm">
            {t('compact.text', {
              needed: format.bytes(needed),
              free: room === null ? '?' : format.bytes(room.freeBytes),
            })}
          </Text>
          <Text size="sm">{t('compact.pause')}</Text>
          <Failure>{hasRoom ? null : t('compact.noRoom')}</Failure>
          <CallFailure error={compact.error} />
          <DialogFooter onLeave={() => setAsking(false)}>
            <Button size="xs" disabled={!hasRoom} loading={compact.isPending} onClick={start}>
              {t('compact.start')}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </div>
  );
}
