import { ActionIcon, Button, Group, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CROPS, type Crop, PRESETS } from '../../../shared/alerts/presets.ts';
import { referenceUnitOf } from '../../../shared/measures/derived.ts';
import { UNITS } from '../../../shared/measures/units.ts';
import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { errorCode } from '../../api/errors.ts';
import { useCycleCall } from '../../api/queries/cycles.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import type { NamedDevice } from '../../journal/entry-form.tsx';
import classes from './crops.module.css';
import {
  type Bound,
  type CycleForm,
  cycleOf,
  FIELDS,
  type FieldOfStage,
  formOf,
  planted,
  rangesOf,
  type StageForm,
} from './cycle-form.ts';

interface Props {
  /** The cycle to edit; null adds a cycle with the stages of `last`. */
  readonly cycle: Cycle | null;
  readonly last: Cycle | null;
  readonly today: string;
  readonly devices: readonly NamedDevice[];
  readonly groups: readonly DeviceGroup[];
  readonly onClose: () => void;
}

const STAGES = ['seedling', 'vegetative', 'flowering', 'fruiting', 'ripening'] as const;

/** Edits a crop cycle: the crop, the place, and the stages with their ranges. */
export function CycleDialog({ cycle, last, today, devices, groups, onClose }: Props) {
  const { t } = useTranslation(['crops', 'alerting', 'app']);
  const write = useCycleCall('writeCycle');
  const remove = useCycleCall('deleteCycle');
  const places = [...devices, ...groups].map(({ id }) => id);
  const [form, setForm] = useState<CycleForm>(() => {
    const made = formOf(cycle, last, today);
    return cycle === null && !places.includes(made.place) ? { ...made, place: places[0] ?? '' } : made;
  });
  const [fault, setFault] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const change = (part: Partial<CycleForm>): void => setForm((before) => ({ ...before, ...part }));
  const changeStage = (index: number, part: Partial<StageForm>): void =>
    change({ stages: form.stages.map((each, at) => (at === index ? { ...each, ...part } : each)) });
  const cropNames = new Map<string, Crop>(CROPS.map((crop) => [t(`alerting:crop.${crop}`), crop]));
  const chooseCrop = (name: string): void => {
    const preset: Crop | undefined = cropNames.get(name);
    change({
      crop: name,
      ...(preset === undefined
        ? {}
        : { stages: form.stages.map((stage) => ({ ...stage, ranges: rangesOf(PRESETS[preset]) })) }),
    });
  };
  const addStage = (): void => {
    const names = STAGES.map((name) => t(`stageName.${name}`));
    const name = names.find((each) => !form.stages.some((stage) => stage.name === each)) ?? '';
    const last = form.stages.at(-1) ?? { ranges: rangesOf([]), hasNights: false };
    const from = form.stages.length === 0 ? form.plantedAt : today;
    change({ stages: [...form.stages, { ...last, name, from }] });
  };
  const submit = (): void => {
    const made = cycleOf(form, cycle);
    if ('fault' in made) setFault(t(`fault.${made.fault}`));
    else write.mutate(made.cycle, { onSuccess: onClose });
  };
  const failed = write.error ?? remove.error;
  const message = fault ?? (failed === null ? null : t(`app:error.${errorCode(failed)}.text`));
  const text = (name: 'variety' | 'plants' | 'areaM2') => (
    <TextInput
      size="sm"
      label={t(`cycle.${name}`)}
      inputMode={name === 'variety' ? 'text' : 'decimal'}
      value={form[name]}
      onChange={({ currentTarget: { value } }) => change({ [name]: value })}
    />
  );
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      title={t(cycle === null ? 'cycle.add' : 'cycle.change')}
      onSubmit={submit}
      onChange={() => setFault(null)}
      isPending={write.isPending}
    >
      <Group grow align="flex-start">
        <TextInput
          size="sm"
          label={t('cycle.crop')}
          list="crop-names"
          value={form.crop}
          onChange={({ currentTarget: { value } }) => chooseCrop(value)}
        />
        {text('variety')}
      </Group>
      <datalist id="crop-names">
        {[...cropNames.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Group grow align="flex-start">
        <NativeSelect
          size="sm"
          label={t('place')}
          value={form.place}
          onChange={({ currentTarget: { value } }) => change({ place: value })}
          data={[
            ...devices.map(({ id, name }) => ({ value: id, label: name })),
            ...groups.map(({ id, name }) => ({ value: id, label: t('groupOf', { name }) })),
            ...(places.includes(form.place) || form.place === '' ? [] : [{ value: form.place, label: t('gone') }]),
          ]}
        />
        <TextInput
          size="sm"
          type="date"
          label={t('cycle.plantedAt')}
          value={form.plantedAt}
          onChange={({ currentTarget: { value } }) =>
            change(cycle === null ? planted(form, value) : { plantedAt: value })
          }
        />
      </Group>
      <Group grow align="flex-start">
        {text('plants')}
        {text('areaM2')}
        <TextInput
          size="sm"
          type="date"
          label={t('cycle.endedAt')}
          value={form.endedAt}
          onChange={({ currentTarget: { value } }) => change({ endedAt: value })}
        />
      </Group>
      <Text size="sm" fw={600}>
        {t('cycle.stages')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('cycle.stagesText')}
      </Text>
      {form.stages.map((stage, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stages have no id, and are added at the end
        <fieldset key={index} className={classes.stage}>
          <legend className="visually-hidden">{stage.name || t('cycle.stage')}</legend>
          <Group align="flex-end">
            <TextInput
              flex="1 1 160px"
              size="sm"
              label={t('cycle.stage')}
              value={stage.name}
              onChange={({ currentTarget: { value } }) => changeStage(index, { name: value })}
            />
            <Group align="flex-end" wrap="nowrap">
              <TextInput
                size="sm"
                type="date"
                label={t('cycle.from')}
                value={stage.from}
                onChange={({ currentTarget: { value } }) => changeStage(index, { from: value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('cycle.removeStage', { name: stage.name })}
                onClick={() => change({ stages: form.stages.filter((_, at) => at !== index) })}
              >
                <Icon name="trash" size={14} />
              </ActionIcon>
            </Group>
          </Group>
          <Switch
            size="xs"
            label={t('cycle.nights')}
            description={stage.hasNights ? t('cycle.nightsText') : undefined}
            checked={stage.hasNights}
            onChange={({ currentTarget: { checked } }) => changeStage(index, { hasNights: checked })}
          />
          <Ranges stage={stage} onChange={(ranges) => changeStage(index, { ranges })} />
        </fieldset>
      ))}
      <Group>
        <Button size="xs" variant="default" onClick={addStage}>
          {t('cycle.addStage')}
        </Button>
        {cycle === null ? null : (
          <Button
            size="xs"
            variant={isDeleting ? 'filled' : 'default'}
            color="red"
            loading={remove.isPending}
            onClick={() => (isDeleting ? remove.mutate({ id: cycle.id }, { onSuccess: onClose }) : setDeleting(true))}
          >
            {t(isDeleting ? 'cycle.deleteSure' : 'cycle.delete')}
          </Button>
        )}
      </Group>
      <Failure>{message}</Failure>
    </FormDialog>
  );
}

interface RangesProps {
  readonly stage: StageForm;
  readonly onChange: (ranges: StageForm['ranges']) => void;
}

/** The ranges of a stage, in the reference units. An empty bound means no bound. */
function Ranges({ stage, onChange }: RangesProps) {
  const { t } = useTranslation(['crops', 'app']);
  const bound = (field: FieldOfStage, end: Bound, name: string) => (
    <TextInput
      size="xs"
      inputMode="decimal"
      aria-label={t(`cycle.${end}`, { field: name, stage: stage.name })}
      placeholder={t(end === 'low' || end === 'nightLow' ? 'cycle.noLow' : 'cycle.noHigh')}
      value={stage.ranges[field][end]}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...stage.ranges, [field]: { ...stage.ranges[field], [end]: value } })
      }
    />
  );
  return (
    <div className={classes.ranges}>
      {FIELDS.map((field) => {
        const name = t(`app:fieldShort.${field}`);
        return (
          <div key={field} className={classes.range}>
            <span>
              {name} {UNITS[referenceUnitOf(field)].symbol}
            </span>
            {bound(field, 'low', name)}
            {bound(field, 'high', name)}
            {stage.hasNights ? (
              <>
                <span className={classes.night}>{t('cycle.byNight')}</span>
                {bound(field, 'nightLow', name)}
                {bound(field, 'nightHigh', name)}
              </>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}
