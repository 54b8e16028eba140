import { Button, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { AlertItem } from '../../../alerts/list/alert-item.tsx';
import listClasses from '../../../alerts/list/alert-list.module.css';
import { useRuleWords } from '../../../alerts/rules/rule-words.ts';
import { useAlertHistory, useAlertRules } from '../../../api/queries/alerts.ts';
import { useOverview } from '../../../api/queries/overview.ts';
import { Card } from '../../../components/layout/card.tsx';
import { ErrorState, PageLoading } from '../../../components/states.tsx';
import { nameOf } from '../../../devices/names.ts';
import { useInOrder } from '../../../devices/selection/use-selection.ts';
import { setParameters, useParameters } from '../../../router/parameters.ts';
import { linkTo } from '../../../router/router.ts';
import classes from '../alerts.module.css';

const PATH = linkTo({ page: 'alerts', id: null });
const FILTERS = ['device', 'rule'] as const;
const NONE: readonly DeviceSummary[] = [];

/** Lists past alerts by device and rule. The filters are part of the address. */
export function HistorySection() {
  const { t } = useTranslation('alerting');
  const words = useRuleWords();
  const parameters = new URLSearchParams(useParameters(PATH));
  const [device, rule] = FILTERS.map((name) => parameters.get(name) ?? '') as [string, string];
  const overview = useOverview().data;
  const devices = useInOrder(overview?.devices ?? NONE).filter(({ mine }) => mine);
  const hidden = new Set((overview?.hidden ?? NONE).map(({ id }) => id));
  const states = useAlertRules().data ?? [];
  // The rules of a crop share one name: they become one entry, with the id of the first rule.
  const byTitle = new Map<string, string[]>();
  for (const state of states) {
    const title = words.title(state.rule);
    byTitle.set(title, [...(byTitle.get(title) ?? []), state.rule.id]);
  }
  // A device or rule of an old link that no longer exists filters nothing.
  const chosen = {
    device: /^[0-9a-f]{64}$/.test(device) ? device : null,
    rule: [...byTitle.values()].find((ids) => ids.includes(rule)) ?? null,
  };
  const history = useAlertHistory(chosen);
  const set = (name: (typeof FILTERS)[number], value: string): void =>
    setParameters(
      PATH,
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      'replace',
    );
  const listed = history.data?.pages.flatMap(({ alerts }) => alerts).filter((alert) => !hidden.has(alert.device ?? ''));
  return (
    <div className={classes.panel}>
      <div className={classes.filters}>
        <NativeSelect
          size="sm"
          label={t('history.device')}
          value={chosen.device ?? ''}
          onChange={(event) => set('device', event.currentTarget.value)}
          data={[
            { value: '', label: t('history.anyDevice') },
            ...devices.map((each) => ({ value: each.id, label: nameOf(each) })),
          ]}
        />
        <NativeSelect
          size="sm"
          label={t('history.rule')}
          value={chosen.rule?.[0] ?? ''}
          onChange={(event) => set('rule', event.currentTarget.value)}
          data={[
            { value: '', label: t('history.anyRule') },
            ...[...byTitle].map(([label, ids]) => ({ value: ids[0]!, label })),
          ]}
        />
      </div>
      {listed === undefined ? (
        history.isError ? (
          <ErrorState error={history.error} onRetry={() => void history.refetch()} />
        ) : (
          <PageLoading />
        )
      ) : (
        <Card isFlush title={t('history.title')}>
          {listed.length === 0 ? <p className={classes.text}>{t('history.none')}</p> : null}
          <ul className={listClasses.list}>
            {listed.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
          {history.hasNextPage ? (
            <div className={classes.more}>
              <Button
                size="xs"
                variant="default"
                loading={history.isFetchingNextPage}
                onClick={() => void history.fetchNextPage()}
              >
                {t('history.more')}
              </Button>
            </div>
          ) : listed.length === 0 ? null : (
            <Text size="xs" c="dimmed" className={classes.more ?? ''}>
              {t('history.end')}
            </Text>
          )}
        </Card>
      )}
    </div>
  );
}
