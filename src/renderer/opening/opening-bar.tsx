import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../components/icon.tsx';
import { useFormat } from '../format/format.ts';
import classes from './opening-bar.module.css';
import type { Opening } from './use-opened-history.ts';

/** Fewer readings are opened before anybody could read the progress. */
const SHOWN_ABOVE = 500;

interface Props {
  readonly opening: Opening;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/**
 * The progress of opening the charts' sealed values, with buttons to stop and start it. Shows nothing if there is
 * nothing to open.
 */
export function OpeningBar({ opening, onStart, onStop }: Props) {
  const { t } = useTranslation(['keyring', 'app']);
  const format = useFormat();
  switch (opening.state) {
    case 'idle':
      return null;
    case 'running': {
      const { progress } = opening;
      if (progress === null || progress.total <= SHOWN_ABOVE) return null;
      const { done, total } = progress;
      return (
        <div className={classes.bar}>
          <Icon name="unlock" size={14} />
          <span role="status">
            {t('opening.running', { done: format.integer(done), total: format.integer(total) })}
          </span>
          <Progress
            className={classes.progress ?? ''}
            value={(100 * done) / total}
            size="sm"
            aria-label={t('opening.progress')}
          />
          <Button variant="default" size="compact-xs" onClick={onStop}>
            {t('opening.cancel')}
          </Button>
        </div>
      );
    }
    case 'waiting':
    case 'stopped': {
      const values = { count: opening.readings, shown: format.integer(opening.readings) };
      return (
        <div className={classes.bar}>
          <Icon name="lock" size={14} />
          <span role="status">{t(opening.state === 'waiting' ? 'opening.waiting' : 'opening.stopped', values)}</span>
          <Button variant="default" size="compact-xs" onClick={onStart}>
            {t('opening.start')}
          </Button>
        </div>
      );
    }
    case 'failed':
      return (
        <div className={classes.bar} role="alert">
          <Icon name="alert" size={14} />
          {t('opening.failed')}
          <Button variant="default" size="compact-xs" onClick={onStart}>
            {t('app:common.retry')}
          </Button>
        </div>
      );
  }
}
