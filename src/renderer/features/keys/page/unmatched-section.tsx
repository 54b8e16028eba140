import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../shared/display-text.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { Disposition } from '../../../../shared/protocol/codes.ts';
import { CopyButton } from '../../../components/codes/copy-button.tsx';
import { ownerOf } from '../../../keys/session/opening.ts';
import type { KeysView } from '../../../keys/types.ts';
import { hasSealed } from '../../../opening/sparklines/sparkline-loader.ts';
import { DeviceLinks } from './device-links.tsx';
import classes from './keys.module.css';

/** Returns whether a key is useful for a device: it has sealed values, or a store seals some of its fields. */
function sealsAnything({ newest, stores }: DeviceSummary): boolean {
  return hasSealed(newest) || stores.some(({ dispositions }) => Object.values(dispositions).includes(ENCRYPTED));
}

const { ENCRYPTED } = Disposition;

/** Lists the owner's devices with sealed values that belong to none of the keys, grouped by owner key. */
export function UnmatchedSection({ view, devices }: { view: KeysView; devices: readonly DeviceSummary[] }) {
  const { t } = useTranslation('keys');
  const unmatched = devices.filter(
    (device) => device.mine && sealsAnything(device) && ownerOf(view, device.ownerPubkey) === null,
  );
  if (unmatched.length === 0) return null;
  const byOwner = Map.groupBy(unmatched, ({ ownerPubkey }) => ownerPubkey);
  const tried = view.secrets.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <section className={classes.card} aria-labelledby="keys-unmatched">
      <h2 id="keys-unmatched">{t('unmatched.title')}</h2>
      <p>{tried === 0 ? t('unmatched.textNone') : t('unmatched.text', { count: tried })}</p>
      <dl className={classes.keys}>
        {[...byOwner].map(([ownerPubkey, owned]) => (
          <div key={ownerPubkey} className={classes.key}>
            <dt>{t('unmatched.owner')}</dt>
            <dd>
              <span className={classes.public}>
                <details className={classes.fingerprint}>
                  <summary>
                    <code>{shortId(ownerPubkey)}</code>
                  </summary>
                  <code className={classes.code}>{ownerPubkey}</code>
                </details>
                <CopyButton text={ownerPubkey} label={t('secret.copyKey')} />
              </span>
              <DeviceLinks devices={owned} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
