import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { GateView } from '../../../shared/owner-api/gate.ts';
import { BUDGETS } from '../../../shared/owner-api/limits.ts';
import { useGate } from '../../api/queries/gate.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { Age } from '../../components/values/age.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import { nameOf } from '../names.ts';
import classes from './connect.module.css';

/** The devices that were refused in the last day because they exceeded their part of a shared budget, by budget. */
export function OverBudget() {
  const { t } = useTranslation('join');
  const title = useId();
  const refused = useGate().data?.overBudget ?? [];
  if (refused.length === 0) return null;
  return (
    <section className={classes.way} aria-labelledby={title}>
      <h2 id={title}>
        <Icon name="alert" size={18} />
        {t('over.title')}
      </h2>
      {BUDGETS.map((budget) => (
        <Refused key={budget} budget={budget} devices={refused.filter((device) => device.budget === budget)} />
      ))}
    </section>
  );
}

type Device = GateView['overBudget'][number];

function Refused({ budget, devices }: { budget: Device['budget']; devices: readonly Device[] }) {
  const { t } = useTranslation(['join', 'app']);
  const format = useFormat();
  const names = new Map(useOverview().data?.devices.map((device) => [device.id, nameOf(device)]));
  if (devices.length === 0) return null;
  return (
    <div className={classes.row}>
      <p>{t(`join:over.${budget}.list`)}</p>
      <ul className={classes.attempts} aria-label={t(`join:over.${budget}.list`)}>
        {devices.toReversed().map(({ id, since, refused }) => (
          <li key={id}>
            <a href={linkTo({ page: 'device', id })}>{names.get(id) ?? shortId(id)}</a>
            <span className={classes.note}>
              {t('join:over.refused', { count: refused, number: format.integer(refused) })} · {t('join:over.since')}{' '}
              <Age at={since} />
            </span>
          </li>
        ))}
      </ul>
      <p className={classes.note}>{t(`join:over.${budget}.text`)}</p>
    </div>
  );
}
