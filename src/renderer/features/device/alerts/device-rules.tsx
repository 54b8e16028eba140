import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../../shared/alerts/alert.ts';
import type { RangeRule } from '../../../../shared/alerts/rule.ts';
import type { RuleState } from '../../../../shared/owner-api/alerts.ts';
import ruleClasses from '../../../alerts/rules/rule-row.module.css';
import { RuleRow } from '../../../alerts/rules/rule-row.tsx';
import { Icon } from '../../../components/icon.tsx';
import classes from './alerts-section.module.css';

type RangeState = RuleState & { readonly rule: RangeRule };

interface Props {
  /** The rules that apply to the device. */
  readonly rules: readonly RangeState[];
  /** The device's live alerts. */
  readonly alerts: readonly Alert[];
}

/** Lists the rules of a device. Rules of one name, such as those of a crop, are one line that expands. */
export function DeviceRules({ rules, alerts }: Props) {
  const { t } = useTranslation('alerting');
  const byName = Map.groupBy(rules, ({ rule }) => (rule.name === '' ? rule.id : rule.name));
  return (
    <ul className={ruleClasses.list} aria-label={t('device.rules')}>
      {[...byName].map(([name, same]) =>
        same.length === 1 ? (
          <RuleRow key={name} state={same[0]!} />
        ) : (
          <li key={name}>
            <RulesOfName name={name} rules={same} alerts={alerts} />
          </li>
        ),
      )}
    </ul>
  );
}

function RulesOfName({ name, rules, alerts }: Props & { readonly name: string }) {
  const { t } = useTranslation('alerting');
  const ids = new Set<string>(rules.map(({ rule }) => rule.id));
  const outside = alerts.filter(({ rule }) => ids.has(rule)).length;
  return (
    <details className={classes.named}>
      <summary>
        <Icon name="chevron-right" size={14} />
        {outside === 0
          ? t('device.rangesOf', { name, count: rules.length })
          : t('device.rangesOutside', { name, count: rules.length, outside })}
      </summary>
      <ul className={ruleClasses.list} aria-label={name}>
        {rules.map((state) => (
          <RuleRow key={state.rule.id} state={state} />
        ))}
      </ul>
    </details>
  );
}
