import { Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useGate } from '../../api/queries/gate.ts';
import { useOverview } from '../../api/queries/overview.ts';
import classes from '../../devices/connect/connect.module.css';
import { OverBudget } from '../../devices/connect/over-budget.tsx';
import { ElsewhereWay } from '../../devices/connect/ways/elsewhere-way.tsx';
import { NetworkWay } from '../../devices/connect/ways/network-way.tsx';
import { TunnelWay } from '../../devices/connect/ways/tunnel-way.tsx';
import { WhereChoice } from '../../devices/connect/ways/where-choice.tsx';
import { Knocking } from '../../devices/knocking/knocking.tsx';
import { useTitle } from '../../router/title.ts';

await i18next.loadNamespaces(['join']);

/** Explains how to connect a device, depending on where the device is. */
export default function ConnectPage({ from }: { from: 'network' | 'elsewhere' | null }) {
  const { t } = useTranslation(['app', 'join']);
  const { data } = useOverview();
  const gate = useGate().data?.gate;
  useTitle(t('connect.title'));
  // If a gate is on, the page shows the way through the network without asking.
  const shown = from ?? (gate === undefined || gate.state === 'off' ? null : 'network');
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('connect.title')}
      </Title>
      <p className={classes.lead}>{t('connect.text')}</p>
      {data === undefined ? null : <Knocking unregistered={data.unregistered} />}
      <OverBudget />
      <WhereChoice chosen={shown} />
      {shown === 'network' ? <NetworkWay /> : null}
      {shown === 'elsewhere' ? <ElsewhereWay /> : null}
      {shown === null ? null : (
        <details className={classes.otherWays}>
          <summary>{t('join:other')}</summary>
          <div className={classes.ways}>
            <TunnelWay />
          </div>
        </details>
      )}
    </div>
  );
}
