import { Button, Checkbox, NativeSelect, Popover, Stack } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnyField } from '../../../shared/measures/derived.ts';
import type { FieldLabel } from '../../../shared/measures/field-scale.ts';
import { Icon } from '../../components/icon.tsx';
import { OVERLAYS, type Overlay } from './overlay.ts';

interface FieldsProps {
  /** The fields to choose from. */
  readonly offered: readonly AnyField[];
  /** The chosen fields; undefined means all of them. */
  readonly chosen: readonly AnyField[] | undefined;
  readonly labelOf: (field: AnyField) => FieldLabel;
  readonly onChange: (fields: readonly AnyField[] | undefined) => void;
}

/** The choice of fields that have a chart; at least one. */
export function FieldsChoice({ offered, chosen, labelOf, onChange }: FieldsProps) {
  const { t } = useTranslation(['charts', 'app']);
  const isShown = (field: AnyField) => chosen?.includes(field) ?? true;
  const shown = offered.filter(isShown);
  const toggle = (field: AnyField): void => {
    const next = offered.filter((each) => (each === field) !== isShown(each));
    if (next.length > 0) onChange(next.length === offered.length ? undefined : next);
  };
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="filter" size={14} />}>
          {shown.length === offered.length
            ? t('fields.open')
            : t('fields.some', { shown: shown.length, count: offered.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" role="group" aria-label={t('fields.open')}>
          {offered.map((field) => (
            <Checkbox
              key={field}
              size="xs"
              label={t(`app:field.${labelOf(field)}`)}
              checked={isShown(field)}
              onChange={() => toggle(field)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface OverlayProps {
  readonly overlay: Overlay | undefined;
  readonly onChange: (overlay: Overlay | undefined) => void;
}

/** The choice of the earlier span behind the charts. */
export const OverlayChoice = memo(function OverlayChoice({ overlay, onChange }: OverlayProps) {
  const { t } = useTranslation('charts');
  return (
    <NativeSelect
      size="xs"
      aria-label={t('overlay.label')}
      value={overlay ?? ''}
      onChange={(event) => onChange(OVERLAYS.find((each) => each === event.currentTarget.value))}
      data={[
        { value: '', label: t('overlay.none') },
        ...OVERLAYS.map((each) => ({ value: each, label: t(`overlay.with.${each}`) })),
      ]}
    />
  );
});
