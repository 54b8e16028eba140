import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { BUILT_IN, type BuiltInKind } from '../../../shared/alerts/built-in.ts';
import type { BuiltInRule, RangeRule, RuleScope } from '../../../shared/alerts/rule.ts';
import { type Range, shownRange } from '../../../shared/alerts/shown-range.ts';
import { shortId } from '../../../shared/display-text.ts';
import { withUnit } from '../../../shared/format/scaled.ts';
import type { AnyField } from '../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { nameOf } from '../../devices/names.ts';
import { useScalesOf } from '../../devices/use-scales.ts';
import { useFormat } from '../../format/format.ts';

const NONE: readonly DeviceSummary[] = [];
/** The notes of a device for which the owner chose no units. */
const NO_UNITS = { notes: { units: {} } };

/** Returns functions that describe rules in words, and the scales of their limits. */
export function useRuleWords() {
  const { t } = useTranslation(['alerting', 'app']);
  const format = useFormat();
  const scalesOf = useScalesOf();
  const devices = useOverview().data?.devices ?? NONE;
  const { groups } = useOwnerChoices();
  return useMemo(() => {
    const scaleFor = (scope: RuleScope, field: AnyField): FieldScale => {
      const device = scope.kind === 'device' ? devices.find(({ id }) => id === scope.device) : undefined;
      return scalesOf(device ?? NO_UNITS)[field];
    };
    const scopeText = (scope: RuleScope): string => {
      if (scope.kind === 'all') return t('scope.all');
      if (scope.kind === 'group') return groups.find(({ id }) => id === scope.group)?.name ?? t('scope.noGroup');
      const device = devices.find(({ id }) => id === scope.device);
      return device === undefined ? shortId(scope.device) : nameOf(device);
    };
    /** Returns "5.5 to 6.5", "at least 5.5" or "at most 6.5". */
    const rangeText = (scale: FieldScale, range: Range): string => {
      const { low, high } = shownRange(scale, range);
      const of = (limit: number) => withUnit(format.number(limit), scale.symbol);
      if (low !== null && high !== null) return t('range.both', { low: format.number(low), high: of(high) });
      if (low !== null) return t('range.low', { low: of(low) });
      return high === null ? '' : t('range.high', { high: of(high) });
    };
    const title = (rule: RangeRule | BuiltInRule): string => {
      if (rule.kind !== 'range') return t(`builtIn.${rule.kind}.name`);
      if (rule.name !== '') return rule.name;
      return t('range.title', {
        field: t(`app:field.${scaleFor(rule.scope, rule.field).label}`),
        range: ruleRange(rule),
      });
    };
    const ruleRange = (rule: RangeRule): string => rangeText(scaleFor(rule.scope, rule.field), rule);
    /** Returns the threshold of a built-in rule, with its quantity. */
    const threshold = (kind: BuiltInKind, value: number | null): string => {
      const counted = BUILT_IN[kind].threshold;
      if (counted === null) return '';
      return value === null ? t('threshold.automatic') : t(`threshold.${counted.unit}`, { count: value });
    };
    return { title, ruleRange, rangeText, scopeText, scaleFor, threshold };
  }, [t, format, scalesOf, devices, groups]);
}
