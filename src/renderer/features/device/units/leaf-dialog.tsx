import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutNoise } from '../../../../shared/measures/units.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { MAX_LEAF_OFFSET } from '../../../../shared/owner-data/limits.ts';
import { typedNumber } from '../../../alerts/rules/range-form.ts';
import { useChoicesThere, useSetOwnerChoices } from '../../../api/queries/choices.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { CallFailure } from '../../../components/failure.tsx';
import { useScales } from '../../../devices/use-scales.ts';

/** Asks how much warmer leaves are than the air, in the owner's unit of temperature. Empty means no leaf values. */
export default function LeafDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation(['device', 'app']);
  const save = useSetOwnerChoices();
  const kept = useChoicesThere().climate[device.id]?.leafOffset;
  const { symbol, toShown, toSent } = useScales(device).dewPoint;
  // Temperature differences are converted without the offset of the unit's zero point.
  const shown = (celsius: number) => withoutNoise(toShown(celsius) - toShown(0));
  const sent = (typed: number) => withoutNoise(toSent(typed) - toSent(0));
  const [text, setText] = useState(() => (kept === undefined ? '' : String(shown(kept))));
  const [isRefused, setRefused] = useState(false);
  const submit = (): void => {
    const typed = typedNumber(text.replace('−', '-'));
    const isEmpty = text.trim() === '';
    const isWrong = !isEmpty && (typed === null || Math.abs(sent(typed)) > MAX_LEAF_OFFSET);
    setRefused(isWrong);
    if (isWrong) return;
    save.mutate(
      ({ climate }) => {
        const { leafOffset: _, ...rest } = climate[device.id] ?? {};
        const next = isEmpty ? rest : { ...rest, leafOffset: sent(typed!) };
        return { climate: { ...climate, [device.id]: next } };
      },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      onClose={onClose}
      title={t('leaf.title')}
      onSubmit={submit}
      submit={t('app:common.save')}
      isPending={save.isPending}
    >
      <Text size="xs" c="dimmed">
        {t('leaf.text')}
      </Text>
      <TextInput
        size="sm"
        inputMode="text"
        label={t('leaf.offset', { unit: symbol })}
        placeholder={t('leaf.hint')}
        value={text}
        error={isRefused ? t('leaf.refused', { most: shown(MAX_LEAF_OFFSET) }) : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <CallFailure error={save.error} lead={t('leaf.failed')} />
    </FormDialog>
  );
}
