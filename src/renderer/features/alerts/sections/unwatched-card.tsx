import { useTranslation } from 'react-i18next';
import { useUnwatched } from '../../../alerts/rules/use-unwatched.ts';
import { Card } from '../../../components/layout/card.tsx';
import { nameOf } from '../../../devices/names.ts';
import { linkTo } from '../../../router/router.ts';
import classes from '../alerts.module.css';

/** The most devices that are listed; of the others there is a number. */
const MOST = 20;

const RULES = `${linkTo({ page: 'alerts', id: null })}?tab=rules`;

/** The values that no rule watches, a line for each device, with links to where ranges are set. */
export function UnwatchedCard() {
  const { t } = useTranslation('alerting');
  const unwatched = useUnwatched();
  if (unwatched.length === 0) return null;
  const rest = unwatched.length - MOST;
  return (
    <Card isFlush title={t('unwatched.title')}>
      <p className={classes.text}>{t('unwatched.text')}</p>
      <ul className={classes.unwatched}>
        {unwatched.slice(0, MOST).map(({ device, fields }) => (
          <li key={device.id}>
            <a href={linkTo({ page: 'device', id: device.id })}>
              <bdi>{nameOf(device)}</bdi>
            </a>
            <span className={classes.colon}>{': '}</span>
            {fields}
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className={classes.text}>{t('unwatched.more', { count: rest })}</p> : null}
      <div className={classes.links}>
        <a href={RULES}>{t('rules.add')}</a>
      </div>
    </Card>
  );
}
