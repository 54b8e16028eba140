import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../components/codes/copy-button.tsx';
import { ownerOf } from '../keys/session/opening.ts';
import type { KeyDevice, KeysView, SecretView } from '../keys/types.ts';
import classes from './keyring.module.css';

/** Returns a function for a secret's label; its kind if it has none. */
export function useSecretName(): (secret: SecretView) => string {
  const { t } = useTranslation('keyring');
  return ({ label, kind }) => (label === '' ? t(`owner.unnamed.${kind}`) : label);
}

/**
 * Says from which phrase or seed the device's owner key is derived. If there is none, it lists the keys that were
 * compared.
 */
export function OwnerMatch({ device, view }: { device: KeyDevice; view: KeysView }) {
  const { t } = useTranslation('keyring');
  const nameOf = useSecretName();
  const owner = ownerOf(view, device.ownerPubkey);
  if (owner !== null) {
    return (
      <Text size="sm">
        {t('owner.match', {
          name: nameOf(owner.secret),
          derivation: t(`owner.derivation.${owner.key.derivation}`),
        })}
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">{t(view.secrets.length === 0 ? 'owner.noSecrets' : 'owner.none')}</Text>
      <dl className={classes.publicKeys}>
        <PublicKey name={t('owner.device')} publicKey={device.ownerPubkey} />
        {view.secrets.flatMap((secret) =>
          secret.keys.map(({ derivation, publicKey }) => (
            <PublicKey
              key={publicKey}
              name={t('owner.ofSecret', { name: nameOf(secret), derivation: t(`owner.derivation.${derivation}`) })}
              publicKey={publicKey}
            />
          )),
        )}
      </dl>
    </>
  );
}

function PublicKey({ name, publicKey }: { name: string; publicKey: string }) {
  const { t } = useTranslation('keyring');
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code className={classes.code}>{publicKey}</code>
        <CopyButton text={publicKey} label={t('owner.copy', { name })} />
      </dd>
    </>
  );
}
