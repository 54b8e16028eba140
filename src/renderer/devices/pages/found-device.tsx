import { useTranslation } from 'react-i18next';
import { displayText, shortId } from '../../../shared/display-text.ts';
import type { AnsweredDevice } from '../../../shared/owner-api/device-pages.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './pages.module.css';
import { PointButton } from './point-button.tsx';

/** A device that answered, and what has become of it since it was told where the gate is. */
export function FoundDevice({ device: { address, says }, server }: { device: AnsweredDevice; server: string }) {
  const { t } = useTranslation('join');
  return (
    <li>
      <strong>{displayText(says.name ?? '') || shortId(says.id)}</strong>{' '}
      <code title={says.id}>{shortId(says.id)}</code>
      <span className={classes.note}>{address}</span>
      {says.local.some(({ url }) => url === server) ? (
        <span className={classes.told}>
          <Icon name="check" size={14} /> {t('point.already')}
        </span>
      ) : null}
      <PointButton address={address} says={says} server={server} />
    </li>
  );
}
