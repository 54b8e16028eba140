import { ActionIcon, Button, Group, Popover, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../../components/icon.tsx';
import { useFormat } from '../../../../format/format.ts';
import { TimeFields, timesOf, timeTexts } from '../../time-fields.tsx';
import type { ChartActions } from '../field-chart.tsx';
import { type ChartRange, PRESETS, type Preset, rangeBetween, type View } from './chart-range.ts';
import classes from './range-bar.module.css';

interface Props {
  readonly range: ChartRange;
  readonly view: View;
  readonly actions: ChartActions;
  readonly canGoBack: boolean;
  readonly onRange: (range: ChartRange) => void;
}

/** Which stretch of time the charts show: by name, by times, or step by step; all of it without a pointer. */
export function RangeBar({ range, view, actions, canGoBack, onRange }: Props) {
  const { t } = useTranslation('device');
  const format = useFormat();
  const steps = [
    { key: 'panLeft', icon: 'arrow-left', act: () => actions.pan(-0.5) },
    { key: 'zoomOut', icon: 'minus', act: () => actions.zoom(2) },
    { key: 'zoomIn', icon: 'plus', act: () => actions.zoom(0.5) },
    { key: 'panRight', icon: 'arrow-right', act: () => actions.pan(0.5) },
  ] as const;
  return (
    <Group gap="sm" className={classes.bar ?? ''} role="group" aria-label={t('range.label')}>
      <SegmentedControl
        size="xs"
        aria-label={t('range.presets')}
        // A dragged range is none of them.
        value={range.kind === 'preset' ? range.preset : ''}
        onChange={(preset) => onRange({ kind: 'preset', preset: preset as Preset })}
        data={PRESETS.map((preset) => ({ value: preset, label: t(`range.preset.${preset}`) }))}
      />
      <Group gap={2}>
        {steps.map(({ key, icon, act }) => (
          <Tooltip key={key} label={t(`range.${key}`)} openDelay={400}>
            <ActionIcon variant="subtle" color="gray" aria-label={t(`range.${key}`)} onClick={act}>
              <Icon name={icon} />
            </ActionIcon>
          </Tooltip>
        ))}
        <Button variant="subtle" size="compact-xs" disabled={!canGoBack} onClick={() => actions.back()}>
          {t('range.back')}
        </Button>
      </Group>
      <FromTo view={view} onRange={onRange} />
      <Text size="xs" c="dimmed" className={classes.shown ?? ''}>
        {`${format.dateTime(view.from)} – ${format.dateTime(view.to)}`}
      </Text>
    </Group>
  );
}

function FromTo({ view, onRange }: Pick<Props, 'view' | 'onRange'>) {
  const { t } = useTranslation('device');
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
        <Button variant="default" size="xs" leftSection={<Icon name="clock" size={14} />} onClick={open}>
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
