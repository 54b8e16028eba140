import { ActionIcon, Switch } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RangeRule, Rule } from '../../../shared/alerts/rule.ts';
import type { RuleState } from '../../../shared/owner-api/alerts.ts';
import { OwnerOnly } from '../../api/me.tsx';
import { useAlertCall } from '../../api/queries/alerts.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { SeveritySign } from '../list/severity-sign.tsx';
import classes from './rule-row.module.css';
import { useRuleWords } from './rule-words.ts';

const RangeDialog = lazy(() => import('./range-dialog.tsx'));
const BuiltInDialog = lazy(() => import('./built-in-dialog.tsx'));

/** Returns whether a state belongs to one of the owner's rules. */
export function isOfRange(state: RuleState): state is RuleState & { rule: RangeRule } {
  return state.rule.kind === 'range';
}

/** A rule in a list: its subject, whether it is on, and a button to edit it. */
export function RuleRow({ state }: { state: RuleState }) {
  const { t } = useTranslation(['alerting', 'app']);
  const words = useRuleWords();
  const write = useAlertCall('writeAlertRule');
  const [isEditing, setEditing] = useState(false);
  const { rule } = state;
  const title = words.title(rule);
  return (
    <li className={classes.row} data-rule={rule.kind} data-on={rule.isOn}>
      <SeveritySign severity={rule.severity} />
      <div className={classes.words}>
        <span className={classes.title}>{title}</span>
        <span className={classes.detail}>{useDetail(state)}</span>
        {state.sealedOn.length === 0 ? null : (
          <span className={classes.sealed}>
            <Icon name="lock" size={12} />
            {t('rule.sealedOn', { count: state.sealedOn.length })}
          </span>
        )}
        <CallFailure error={write.error} lead={t('failed')} />
      </div>
      <OwnerOnly>
        <Switch
          aria-label={t('rule.onOf', { title })}
          checked={rule.isOn}
          disabled={write.isPending}
          onChange={(event) => write.mutate({ rule: { ...rule, isOn: event.currentTarget.checked } as Rule })}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('rule.editOf', { title })}
          title={t('rule.edit')}
          onClick={() => setEditing(true)}
        >
          <Icon name="edit" size={14} />
        </ActionIcon>
      </OwnerOnly>
      {isEditing ? (
        <Suspense fallback={null}>
          {isOfRange(state) ? (
            <RangeDialog state={state} onClose={() => setEditing(false)} />
          ) : rule.kind === 'range' ? null : (
            <BuiltInDialog rule={rule} onClose={() => setEditing(false)} />
          )}
        </Suspense>
      ) : null}
    </li>
  );
}

/** Returns the rule's devices, its limits or threshold, and how it notifies. */
function useDetail({ rule, devices }: RuleState): string {
  const { t } = useTranslation(['alerting', 'app']);
  const words = useRuleWords();
  const format = useFormat();
  const minutes = (count: number) => format.duration(count * 60_000);
  const parts: string[] = [];
  if (rule.kind === 'range') {
    const scope = words.scopeText(rule.scope);
    parts.push(rule.scope.kind === 'device' ? scope : t('rule.scopeCount', { scope, count: devices }));
    if (rule.name !== '') {
      parts.push(
        t('range.title', {
          field: t(`app:field.${words.scaleFor(rule.scope, rule.field).label}`),
          range: words.ruleRange(rule),
        }),
      );
    }
    if (rule.forMinutes > 0) parts.push(t('rule.forShort', { span: minutes(rule.forMinutes) }));
  } else {
    const threshold = words.threshold(rule.kind, rule.threshold);
    parts.push(threshold === '' ? t(`builtIn.${rule.kind}.text`) : threshold);
  }
  if (rule.repeatMinutes !== null) parts.push(t('rule.repeatShort', { span: minutes(rule.repeatMinutes) }));
  if (rule.channels !== 'all') parts.push(t('rule.channelCount', { count: rule.channels.length }));
  return parts.join(' · ');
}
