import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../../components/icon.tsx';
import { useFormat } from '../../../../format/format.ts';
import type { PagedReadings } from './use-paged-readings.ts';

/** The buttons for the next and the previous page of readings. */
export function Pager({ paged }: { paged: PagedReadings }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  const { first, total, page, toNext, toPrevious, order } = paged;
  const shown = page.data?.readings.length ?? 0;
  if (toNext === null && toPrevious === null) return null;
  const isNewestFirst = order === 'descending';
  return (
    <Group gap="xs" mt="xs" justify="flex-end" role="group" aria-label={t('pager.label')}>
      <Text size="xs" c="dimmed" role="status">
        {t('pager.shown', {
          first: format.integer(first + 1),
          last: format.integer(first + shown),
          total: total === null ? '…' : format.integer(total),
        })}
      </Text>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="arrow-left" size={14} />}
        disabled={toPrevious === null}
        onClick={() => toPrevious?.()}
      >
        {t(isNewestFirst ? 'pager.newer' : 'pager.older')}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<Icon name="arrow-right" size={14} />}
        disabled={toNext === null}
        onClick={() => toNext?.()}
      >
        {t(isNewestFirst ? 'pager.older' : 'pager.newer')}
      </Button>
    </Group>
  );
}
