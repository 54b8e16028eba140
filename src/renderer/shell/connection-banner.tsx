import { useEffect, useRef, useState } from 'react';
import { useConnection } from '../api/connection.ts';
import { Icon } from '../components/icon.tsx';
import { useFormat } from '../format.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import classes from './connection.module.css';

/** How long the return is told. */
const RETURNED_MS = 5000;

/** Tells the loss of the connection while it lasts, and its return for a while. */
export function ConnectionBanner() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const connection = useConnection();
  const [returned, setReturned] = useState(false);
  const wasLost = useRef(false);

  useEffect(() => {
    if (connection.state === 'lost') {
      wasLost.current = true;
      setReturned(false);
      return;
    }
    if (!wasLost.current) return;
    wasLost.current = false;
    setReturned(true);
    const timer = window.setTimeout(() => setReturned(false), RETURNED_MS);
    return () => window.clearTimeout(timer);
  }, [connection]);

  return (
    <div role="status">
      {connection.state === 'lost' ? (
        <div className={classes.banner} data-kind="lost">
          <Icon name="unlink" />
          {t('connection.lostText', { time: format.time(connection.since) })}
        </div>
      ) : null}
      {returned ? (
        <div className={classes.banner} data-kind="returned">
          <Icon name="check" />
          {t('connection.returnedText')}
        </div>
      ) : null}
    </div>
  );
}
