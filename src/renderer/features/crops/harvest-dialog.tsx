import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { dayOf } from '../../../shared/owner-data/days.ts';
import { isTooFarAhead } from '../../../shared/owner-data/limits.ts';
import { MAX_AMOUNT } from '../../../shared/owner-data/log-kinds.ts';
import { errorCode } from '../../api/errors.ts';
import { useWriteEntry } from '../../api/queries/journal.ts';
import { fromLocalInput, toLocalInput } from '../../charts/range/chart-range.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import type { NamedDevice } from '../../journal/entry-form.tsx';
import { useWholePlaces } from '../../journal/use-whole-places.ts';

interface Props {
  readonly cycle: Cycle;
  readonly now: number;
  /** The devices of the cycle's place. */
  readonly devices: readonly NamedDevice[];
  readonly onClose: () => void;
}

/** Logs a harvest of a crop cycle. If the place is a group, it asks whether the harvest is of one of its devices. */
export function HarvestDialog({ cycle, now, devices, onClose }: Props) {
  const { t } = useTranslation(['crops', 'journal', 'app']);
  const write = useWriteEntry();
  const wholePlace = useWholePlaces()(cycle.id);
  const [device, setDevice] = useState(cycle.place.kind === 'device' ? cycle.place.device : '');
  const [amount, setAmount] = useState('');
  const [unit, setUnit] = useState<'kg' | 'pieces'>('kg');
  const [time, setTime] = useState(() => toLocalInput(now));
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = (): void => {
    const value = Number(amount.replace(',', '.'));
    const at = fromLocalInput(time);
    if (amount.trim() === '' || !(value > 0)) setFault(t('journal:act.notPositive'));
    else if (value > MAX_AMOUNT) setFault(t('journal:act.tooMuch'));
    else if (unit === 'pieces' && !Number.isInteger(value)) setFault(t('journal:act.notWhole'));
    else if (at === null) setFault(t('journal:dialog.timeMissing'));
    else if (isTooFarAhead(at, now)) setFault(t('journal:dialog.timeAhead'));
    else if (dayOf(at, cycle.zone) < cycle.plantedAt) setFault(t('fault.harvestBeforePlanting'));
    else if (cycle.endedAt !== null && dayOf(at, cycle.zone) > cycle.endedAt) setFault(t('fault.harvestAfterEnd'));
    else {
      const act = { kind: 'harvested', amount: { value, unit }, cycle: cycle.id } as const;
      write.mutate(
        { id: null, device: device === '' ? null : device, at, text: text.trim(), act },
        { onSuccess: onClose },
      );
    }
  };
  const message = fault ?? (write.error === null ? null : t(`app:error.${errorCode(write.error)}.text`));
  return (
    <FormDialog
      onClose={onClose}
      title={t('harvest.of', { name: cycle.crop })}
      onSubmit={submit}
      onChange={() => setFault(null)}
      isPending={write.isPending}
    >
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          size="sm"
          inputMode="decimal"
          label={t('journal:act.amount')}
          value={amount}
          onChange={({ currentTarget: { value } }) => setAmount(value)}
          data-autofocus
        />
        <NativeSelect
          size="sm"
          label={t('journal:act.unit')}
          value={unit}
          onChange={({ currentTarget: { value } }) => setUnit(value === 'kg' ? 'kg' : 'pieces')}
          data={(['kg', 'pieces'] as const).map((value) => ({ value, label: t(`journal:unit.${value}`) }))}
        />
      </Group>
      {wholePlace === null ? null : (
        <NativeSelect
          size="sm"
          label={t('place')}
          value={device}
          onChange={({ currentTarget: { value } }) => setDevice(value)}
          data={[{ value: '', label: wholePlace }, ...devices.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <TextInput
        size="sm"
        label={t('harvest.quality')}
        maxLength={2000}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <TextInput
        size="sm"
        type="datetime-local"
        label={t('journal:dialog.time')}
        value={time}
        onChange={({ currentTarget: { value } }) => setTime(value)}
      />
      <Failure>{message}</Failure>
    </FormDialog>
  );
}
