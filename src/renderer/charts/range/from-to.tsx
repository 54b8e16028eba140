import { Button, Popover, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/icon.tsx';
import type { View } from '../view.ts';
import { type ChartRange, rangeBetween } from './chart-range.ts';
import { TimeFields, timesOf, timeTexts } from './time-fields.tsx';

interface Props {
  readonly view: View;
  readonly onRange: (range: ChartRange) => void;
}

/** A button that opens a form for the start and end of a range. */
export function FromTo({ view, onRange }: Props) {
  const { t } = useTranslation('charts');
  const [opened, setOpened] = useState(false);
  const [texts, setTexts] = useState(() => timeTexts(view));
  const [refused, setRefused] = useState(false);
  const open = (): void => {
    setTexts(timeTexts(view));
    setRefused(false);
    setOpened(!opened);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const times = timesOf(texts);
    const chosen = times === null || times.from >= times.to ? undefined : rangeBetween(times.from, times.to);
    setRefused(chosen === undefined);
    if (chosen === undefined) return;
    onRange(chosen);
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="calendar" size={14} />} onClick={open}>
          {t('range.fromTo')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TimeFields value={texts} onChange={setTexts} error={refused ? t('range.refused') : undefined} autoFocus />
            <Button type="submit" size="xs">
              {t('range.show')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
