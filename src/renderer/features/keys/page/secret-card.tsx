import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_LABEL_LENGTH } from '../../../../shared/crypto/keystore/keystore-limits.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { CopyButton } from '../../../components/codes/copy-button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useFormat } from '../../../format/format.ts';
import { PHRASE_LANGUAGES } from '../../../keys/parts/languages.ts';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { SecretView } from '../../../keys/types.ts';
import { DeviceLinks } from './device-links.tsx';
import classes from './keys.module.css';

interface Props {
  readonly secret: SecretView;
  readonly devices: readonly DeviceSummary[];
  readonly onReveal: () => void;
  readonly onDrill: () => void;
  readonly onRemove: () => void;
}

function Label({ secret }: { secret: SecretView }) {
  const { t } = useTranslation(['keys', 'app']);
  const [typed, setTyped] = useState<string | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const label = (typed ?? '').trim();
    action.run(async () => {
      await keySession.change('renameSecret', { secretId: secret.id, label });
      setTyped(null);
    });
  };
  if (typed === null) {
    return (
      <div className={classes.label}>
        <h3>{secret.label === '' ? t(`secret.unnamed.${secret.kind}`) : <bdi>{secret.label}</bdi>}</h3>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('secret.rename')}
          onClick={() => setTyped(secret.label)}
        >
          <Icon name="edit" size={14} />
        </ActionIcon>
      </div>
    );
  }
  return (
    <form className={classes.label} onSubmit={save}>
      <TextInput
        size="xs"
        aria-label={t('secret.label')}
        maxLength={MAX_LABEL_LENGTH}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(null);
        }}
        autoFocus
      />
      <Button type="submit" size="xs" variant="default" loading={action.isRunning}>
        {t('app:common.save')}
      </Button>
      <Fault error={action.error} />
    </form>
  );
}

/** Shows a phrase or seed: its public keys, and the devices that belong to each. */
export function SecretCard({ secret, devices, onReveal, onDrill, onRemove }: Props) {
  const { t } = useTranslation(['keys', 'app']);
  const format = useFormat();
  const matches = secret.keys.map((key) => devices.filter(({ ownerPubkey }) => ownerPubkey === key.publicKey));
  const what =
    secret.language === null || secret.wordCount === null
      ? t('secret.kind.seed')
      : t('secret.words', { count: secret.wordCount, language: PHRASE_LANGUAGES[secret.language] });
  return (
    <article
      className={classes.card}
      aria-label={secret.label === '' ? t(`secret.unnamed.${secret.kind}`) : secret.label}
    >
      <div className={classes.head}>
        <Label secret={secret} />
        <Text size="xs" c="dimmed">
          {t('secret.since', { what, date: format.date(secret.createdAt) })}
        </Text>
      </div>
      {matches.every((each) => each.length === 0) ? (
        <p className={classes.quiet}>{t('secret.noDevice', { count: secret.keys.length })}</p>
      ) : null}
      <dl className={classes.keys}>
        {secret.keys.map((key, at) => (
          <div key={key.derivation} className={classes.key}>
            <dt title={t(`derivation.${key.derivation}Text`)}>{t(`derivation.${key.derivation}`)}</dt>
            <dd>
              <span className={classes.public}>
                <code className={classes.code}>{key.publicKey}</code>
                <CopyButton text={key.publicKey} label={t('secret.copyKey')} />
              </span>
              <DeviceLinks devices={matches[at]!} />
            </dd>
          </div>
        ))}
      </dl>
      <Group gap="xs">
        <Button variant="default" size="xs" leftSection={<Icon name="check" />} onClick={onDrill}>
          {t('secret.drill')}
        </Button>
        <Button variant="default" size="xs" leftSection={<Icon name="eye" />} onClick={onReveal}>
          {t('secret.reveal')}
        </Button>
        <Button variant="subtle" color="red" size="xs" leftSection={<Icon name="trash" />} onClick={onRemove}>
          {t('secret.remove')}
        </Button>
      </Group>
    </article>
  );
}
