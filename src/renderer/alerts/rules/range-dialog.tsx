import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RangeRule, RuleScope } from '../../../shared/alerts/rule.ts';
import { ANY_FIELDS, type AnyField } from '../../../shared/measures/derived.ts';
import type { RuleState } from '../../../shared/owner-api/alerts.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { isFor } from '../../../shared/wellness/concerned.ts';
import { useAlertCall } from '../../api/queries/alerts.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { nameOf } from '../../devices/names.ts';
import { useInOrder } from '../../devices/selection/use-selection.ts';
import { CommonFields } from './common-fields.tsx';
import { CallFailed, DeleteRule } from './dialog-parts.tsx';
import { inScale, newRange, type RangeForm, type RangeRefusal, rangeFormOf, rangeOf } from './range-form.ts';
import { OtherUnits, SealedHere } from './range-notes.tsx';
import { useRuleWords } from './rule-words.ts';

const NONE: readonly DeviceSummary[] = [];

interface Props {
  /** The rule to change; null for a new one. */
  readonly state: (Pick<RuleState, 'sealedOn'> & { readonly rule: RangeRule }) | null;
  /** The scope of a new rule. */
  readonly scope?: RuleScope;
  readonly onClose: () => void;
}

const scopeKey = (scope: RuleScope): string =>
  scope.kind === 'all' ? 'all' : scope.kind === 'group' ? `group ${scope.group}` : `device ${scope.device}`;

function scopeOf(key: string): RuleScope {
  const [kind, id = ''] = key.split(' ');
  if (kind === 'group') return { kind, group: id };
  return kind === 'device' ? { kind, device: id } : { kind: 'all' };
}

/** A dialog that writes one of the owner's rules: its devices, field, range, severity and channels. */
export default function RangeDialog({ state, scope = { kind: 'all' }, onClose }: Props) {
  const { t } = useTranslation(['alerting', 'app']);
  const before = state?.rule ?? null;
  const write = useAlertCall('writeAlertRule');
  const words = useRuleWords();
  const { groups } = useOwnerChoices();
  const devices = useOverview().data?.devices ?? NONE;
  const [form, setForm] = useState<RangeForm>(() =>
    before === null ? newRange(scope, 'ph') : rangeFormOf(before, words.scaleFor(before.scope, before.field)),
  );
  const [refused, setRefused] = useState<RangeRefusal | null>(null);
  const change = (part: Partial<RangeForm>): void => setForm((kept) => ({ ...kept, ...part }));
  const scale = words.scaleFor(form.scope, form.field);
  const concerned = devices.filter((device) => isFor(form, device, groups));
  const mine = useInOrder(devices).filter((device) => device.mine);

  const changeScope = (next: RuleScope): void =>
    setForm((kept) => inScale({ ...kept, scope: next }, scale, words.scaleFor(next, kept.field)));
  const changeField = (field: AnyField): void => change({ field, low: '', high: '', margin: '0' });
  const submit = (): void => {
    const made = rangeOf(form, scale, before);
    setRefused('refused' in made ? made.refused : null);
    if ('rule' in made) write.mutate({ rule: made.rule }, { onSuccess: onClose });
  };
  const unit = scale.symbol === '' ? '' : ` (${scale.symbol})`;
  const number = (key: 'low' | 'high' | 'margin', refusals: readonly RangeRefusal[]) => (
    <TextInput
      size="sm"
      inputMode="decimal"
      label={`${t(`rule.${key}`)}${unit}`}
      placeholder={key === 'margin' ? undefined : t('rule.noLimit')}
      value={form[key]}
      error={refused !== null && refusals.includes(refused) ? t(`refused.${refused}`) : undefined}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      title={t(before === null ? 'rule.add' : 'rule.change')}
      onSubmit={submit}
      isPending={write.isPending}
    >
      <TextInput
        size="sm"
        label={t('rule.name')}
        placeholder={t('rule.nameHint')}
        maxLength={100}
        value={form.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Group gap="sm" grow align="start">
        <NativeSelect
          size="sm"
          label={t('rule.scope')}
          value={scopeKey(form.scope)}
          onChange={(event) => changeScope(scopeOf(event.currentTarget.value))}
          data={[
            { value: 'all', label: t('scope.all') },
            ...(groups.length === 0
              ? []
              : [
                  {
                    group: t('scope.groups'),
                    items: groups.map(({ id, name }) => ({ value: `group ${id}`, label: name })),
                  },
                ]),
            {
              group: t('scope.devices'),
              items: [
                ...mine.map((device) => ({ value: `device ${device.id}`, label: nameOf(device) })),
                ...(form.scope.kind === 'device' && !mine.some(({ id }) => scopeKey(form.scope) === `device ${id}`)
                  ? [{ value: scopeKey(form.scope), label: words.scopeText(form.scope) }]
                  : []),
              ],
            },
          ]}
          data-autofocus
        />
        <NativeSelect
          size="sm"
          label={t('rule.field')}
          value={form.field}
          onChange={(event) => changeField(event.currentTarget.value as AnyField)}
          data={ANY_FIELDS.map((value) => ({
            value,
            label: t(`app:field.${words.scaleFor(form.scope, value).label}`),
          }))}
        />
      </Group>
      <Group gap="sm" grow align="start">
        {number('low', ['limits', 'order'])}
        {number('high', ['limits', 'order'])}
      </Group>
      <Group gap="sm" grow align="start">
        {number('margin', ['margin'])}
        <TextInput
          size="sm"
          inputMode="numeric"
          label={t('rule.for')}
          value={form.forMinutes}
          error={refused === 'for' ? t('refused.for') : undefined}
          onChange={(event) => change({ forMinutes: event.currentTarget.value })}
        />
      </Group>
      <OtherUnits devices={concerned} field={form.field} isOfOneDevice={form.scope.kind === 'device'} />
      <SealedHere devices={concerned} field={form.field} known={state?.sealedOn ?? []} />
      <CommonFields form={form} isRepeatRefused={refused === 'repeat'} onChange={change} />
      <CallFailed error={write.error} />
      {before === null ? null : <DeleteRule id={before.id} onDeleted={onClose} />}
    </FormDialog>
  );
}
