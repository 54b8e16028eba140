import { ActionIcon, Button, Group, NativeSelect, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat, useLocale } from '../../format/format.ts';
import type { View } from '../view.ts';
import { CALENDAR_RANGES, firstWeekdayOf } from './calendar-ranges.ts';
import { type ChartRange, MOVING_RANGES, type Preset } from './chart-range.ts';
import { FromTo } from './from-to.tsx';
import classes from './range-bar.module.css';
import { stepped } from './step-range.ts';
import type { ChartActions } from './use-chart-range.ts';
import { zoneText } from './zone.ts';

interface Props {
  readonly range: ChartRange;
  readonly view: View;
  readonly actions: ChartActions;
  readonly canGoBack: boolean;
  readonly onRange: (range: ChartRange) => void;
  /** The page's other choices. */
  readonly children?: ReactNode;
}

/** The choice of the charts' range: by name, by times, or step by step. Everything works with the keyboard. */
export function RangeBar({ range, view, actions, canGoBack, onRange, children }: Props) {
  const { t } = useTranslation('charts');
  const format = useFormat();
  const locale = useLocale();
  const { clock } = useNode();
  // There are no readings after now.
  const isLatest = stepped(range, view, 1, clock.now(), firstWeekdayOf(locale)) === null;
  const steps = [
    { key: 'panLeft', icon: 'arrow-left', act: () => actions.step(-1) },
    { key: 'zoomOut', icon: 'minus', act: () => actions.zoom(2) },
    { key: 'zoomIn', icon: 'plus', act: () => actions.zoom(0.5) },
    { key: 'panRight', icon: 'arrow-right', act: () => actions.step(1) },
  ] as const;
  return (
    <Group gap="xs" className={classes.bar ?? ''} role="group" aria-label={t('range.label')}>
      <Presets range={range} onRange={onRange} />
      <Group gap={2} wrap="nowrap">
        {steps.map(({ key, icon, act }) => (
          <Tooltip key={key} label={t(`range.${key}`)} openDelay={400}>
            <ActionIcon
              className={classes.step ?? ''}
              variant="subtle"
              color="gray"
              aria-label={t(`range.${key}`)}
              disabled={key === 'panRight' && isLatest}
              onClick={act}
            >
              <Icon name={icon} />
            </ActionIcon>
          </Tooltip>
        ))}
        <Button variant="subtle" size="compact-xs" disabled={!canGoBack} onClick={() => actions.back()}>
          {t('range.back')}
        </Button>
      </Group>
      <FromTo view={view} onRange={onRange} />
      {children}
      <Text size="xs" c="dimmed" className={classes.shown ?? ''}>
        {`${format.dateTime(view.from)} – ${format.dateTime(view.to)} · ${zoneText(view.to, locale)}`}
      </Text>
    </Group>
  );
}

/** The choice of a named range; a custom range shows none. */
const Presets = memo(function Presets({ range, onRange }: Pick<Props, 'range' | 'onRange'>) {
  const { t } = useTranslation('charts');
  const isSmall = useSmallScreen();
  const value = range.kind === 'preset' ? range.preset : '';
  const choose = (preset: string): void => {
    if (preset !== '') onRange({ kind: 'preset', preset: preset as Preset });
  };
  const groups = [
    { key: 'presets', ranges: MOVING_RANGES },
    { key: 'calendar', ranges: CALENDAR_RANGES },
  ] as const;
  const listed = groups.map(({ key, ranges }) => ({
    key,
    label: t(`range.${key}`),
    data: ranges.map((preset) => ({ value: preset as string, label: t(`range.preset.${preset}`) })),
  }));
  if (isSmall) {
    return (
      <NativeSelect
        className={classes.select ?? ''}
        size="xs"
        aria-label={t('range.named')}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...(value === '' ? [{ value: '', label: t('range.chosen') }] : []),
          ...listed.map(({ label, data }) => ({ group: label, items: data })),
        ]}
      />
    );
  }
  return listed.map(({ key, label, data }) => (
    <SegmentedControl key={key} size="xs" aria-label={label} value={value} onChange={choose} data={data} />
  ));
});
