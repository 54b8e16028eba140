import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLink } from '../../api/node-connection.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './connection-banner.module.css';

/** How long the banner is shown after the connection has returned, in milliseconds. */
const RETURNED_MS = 5000;

/** A banner while the connection is lost, and for some seconds after it has returned. */
export function ConnectionBanner() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const connection = useLink();
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
