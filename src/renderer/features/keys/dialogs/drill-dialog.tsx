import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { Icon } from '../../../components/icon.tsx';
import { nameOf } from '../../../devices/names.ts';
import { SecretInput } from '../../../keys/inputs/secret-input.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { keyDigits, secretWithKeys } from '../../../keys/session/entered-secret.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { SecretView } from '../../../keys/types.ts';
import type { DrillDevice, DrillResult, TypedSecret } from '../../../keys/worker/protocol.ts';

function drillDevice({ id, ownerPubkey, newest }: DeviceSummary): DrillDevice {
  const sealed = FIELD_NAMES.flatMap((field) => {
    const value = newest[field];
    if (value === null || value.value === null || typeof value.value === 'number') return [];
    return [{ keyVersion: value.keyVersion, ...value.value }];
  });
  return { id, ownerPubkey, sealed };
}

interface Props {
  readonly secret: SecretView;
  /** All stored phrases and seeds: an owner with several sheets of paper may type another one. */
  readonly secrets: readonly SecretView[];
  readonly devices: readonly DeviceSummary[];
  readonly onClose: () => void;
}

/** The restore drill: the phrase or seed typed from paper must derive the same keys as the stored one. */
export default function DrillDialog({ secret, secrets, devices, onClose }: Props) {
  const { t } = useTranslation(['keys', 'app']);
  const [typed, setTyped] = useState<TypedSecret | null>(null);
  const [result, setResult] = useState<DrillResult | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (): void => {
    if (typed === null) return;
    const input = { secretId: secret.id, secret: typed, devices: devices.map(drillDevice) };
    action.run(async () => {
      const drilled = await keySession.ask('drill', input);
      setResult(drilled);
      if (drilled.isSame) await keySession.change('drilled', { secretId: secret.id });
    });
  };
  const entered = result === null || result.isSame ? null : secretWithKeys(secrets, result.keys);
  const called = (of: SecretView) => (of.label === '' ? t(`secret.unnamed.${of.kind}`) : of.label);
  const name = (id: string): string => {
    const device = devices.find((each) => each.id === id);
    return device === undefined ? id : nameOf(device);
  };
  return (
    <FormDialog
      title={t('drill.title')}
      onClose={onClose}
      isHeld={result === null}
      size="lg"
      onSubmit={submit}
      submit={t('drill.check')}
      isPending={action.isRunning}
      isDisabled={typed === null}
      leave={t('app:common.close')}
    >
      <Text size="sm">{t('drill.text')}</Text>
      <SecretInput
        kind={secret.kind}
        onRead={(next) => {
          setTyped(next);
          setResult(null);
        }}
      />
      <Fault error={action.error} />
      {result === null ? null : (
        <Alert
          variant="light"
          color={result.isSame ? 'green' : 'red'}
          icon={<Icon name={result.isSame ? 'check' : 'alert'} />}
          title={t(result.isSame ? 'drill.same' : entered === null ? 'drill.other' : 'drill.another')}
          role="status"
        >
          <Text size="sm">
            {entered === null
              ? t(result.isSame ? 'drill.sameText' : 'drill.otherText')
              : t('drill.anotherText', {
                  ...{ entered: called(entered), enteredKey: keyDigits(entered) },
                  ...{ asked: called(secret), askedKey: keyDigits(secret) },
                })}
          </Text>
          {result.devices.some(({ opened, sealed }) => opened < sealed) ? (
            <Text size="sm">{t('drill.rest')}</Text>
          ) : null}
          {result.devices.length === 0 ? (
            <Text size="sm">{t('drill.noDevices')}</Text>
          ) : (
            <ul>
              {result.devices.map(({ id, opened, sealed }) => (
                <li key={id}>
                  <bdi>{name(id)}</bdi>
                  {': '}
                  {sealed === 0 ? t('drill.nothingSealed') : t('drill.opened', { opened, count: sealed })}
                </li>
              ))}
            </ul>
          )}
        </Alert>
      )}
    </FormDialog>
  );
}
