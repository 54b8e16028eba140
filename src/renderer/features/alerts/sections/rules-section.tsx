import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import ruleClasses from '../../../alerts/rules/rule-row.module.css';
import { RuleRow } from '../../../alerts/rules/rule-row.tsx';
import { OwnerOnly, useMe } from '../../../api/me.tsx';
import { useAlertRules } from '../../../api/queries/alerts.ts';
import { Icon } from '../../../components/icon.tsx';
import { Card } from '../../../components/layout/card.tsx';
import { ErrorState, PageLoading } from '../../../components/states.tsx';
import classes from '../alerts.module.css';

const RangeDialog = lazy(() => import('../../../alerts/rules/range-dialog.tsx'));

/** Lists the owner's rules, then the built-in ones. */
export function RulesSection() {
  const { t } = useTranslation('alerting');
  const isOwner = useMe().role === 'owner';
  const { data, error, refetch } = useAlertRules();
  const [isAdding, setAdding] = useState(false);
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const own = data.filter(({ rule }) => rule.kind === 'range');
  const builtIn = data.filter(({ rule }) => rule.kind !== 'range');
  return (
    <div className={classes.panel}>
      <Card
        isFlush
        title={t(isOwner ? 'rules.own' : 'rules.viewer.own')}
        action={
          <OwnerOnly>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setAdding(true)}
            >
              {t('rules.add')}
            </Button>
          </OwnerOnly>
        }
      >
        {own.length === 0 ? <p className={classes.text}>{t(isOwner ? 'rules.none' : 'rules.viewer.none')}</p> : null}
        <ul className={ruleClasses.list}>
          {own.map((state) => (
            <RuleRow key={state.rule.id} state={state} />
          ))}
        </ul>
      </Card>
      <Card isFlush title={t('rules.builtIn')}>
        <p className={classes.text}>{t(isOwner ? 'rules.builtInText' : 'rules.viewer.builtIn')}</p>
        <ul className={ruleClasses.list}>
          {builtIn.map((state) => (
            <RuleRow key={state.rule.id} state={state} />
          ))}
        </ul>
      </Card>
      {isAdding ? (
        <Suspense fallback={null}>
          <RangeDialog state={null} onClose={() => setAdding(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
