import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../../shared/display-text.ts';
import { fileName } from '../../../../shared/export/file-name.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { type ApiErrorCode, errorCode } from '../../../api/errors.ts';
import { useNode } from '../../../api/node-connection.ts';
import { saveFile } from '../../../components/browser/save-file.ts';
import { buildProof } from './build-proof.ts';

type State = 'idle' | 'working' | 'notLogged' | { readonly name: string } | { readonly code: ApiErrorCode };

interface Props {
  readonly device: DeviceDetail;
  readonly reading: OwnerReading;
}

/** Saves a proof of one reading, and explains what it proves. */
export function ProofButton({ device, reading }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const { api } = useNode();
  const [state, setState] = useState<State>('idle');
  const aborting = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    aborting.current = controller;
    return () => controller.abort();
  }, []);

  const save = async (): Promise<void> => {
    const { signal } = aborting.current;
    setState('working');
    try {
      const { blob } = await buildProof(device, { kind: 'shown', readings: [reading] }, api, signal);
      if (blob === null) {
        setState('notLogged');
        return;
      }
      const name = fileName({
        device: deviceName(device),
        ...{ from: reading.receivedAt, to: reading.receivedAt },
        ...{ resolution: `reading-${reading.seq}`, extension: 'proof' },
      });
      saveFile(blob, name);
      setState({ name });
    } catch (error) {
      if (!signal.aborted) setState({ code: errorCode(error) });
    }
  };
  return (
    <div>
      <Button variant="default" size="xs" loading={state === 'working'} onClick={() => void save()}>
        {t('readings.proof')}
      </Button>
      <Text size="xs" c="dimmed" my={6}>
        {t('readings.proofText')}
      </Text>
      <Text size="sm" role="status">
        {state === 'notLogged' ? t('export.notLogged') : null}
        {typeof state === 'object' && 'name' in state ? t('readings.proofSaved', { name: state.name }) : null}
      </Text>
      {typeof state === 'object' && 'code' in state ? (
        <Text size="sm" c="red" role="alert">
          {t('export.failed')} {t(`app:error.${state.code}.text`)}
        </Text>
      ) : null}
    </div>
  );
}
