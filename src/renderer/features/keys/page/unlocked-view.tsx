import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { useOverview } from '../../../api/queries/overview.ts';
import { Icon } from '../../../components/icon.tsx';
import { Caution, Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useOnlyHere } from '../../../keys/session/exported.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { FileProblem, KeysView } from '../../../keys/types.ts';
import { ExportButton } from './export-button.tsx';
import classes from './keys.module.css';
import { KeystoreSection } from './keystore-section.tsx';
import { RemovedSection } from './removed-section.tsx';
import { SecretsSection } from './secrets-section.tsx';
import { UnmatchedSection } from './unmatched-section.tsx';

const NONE: readonly DeviceSummary[] = [];

/** Shows the contents of the keystore, and the actions on it. */
export function UnlockedView({ view, problem }: { view: KeysView; problem: FileProblem | null }) {
  const { data } = useOverview();
  const devices = data?.devices ?? NONE;
  return (
    <>
      {problem === null ? null : <FileProblemAlert problem={problem} />}
      <div className={classes.unlocked}>
        <div className={classes.stack}>
          <BackupNudge view={view} />
          <SecretsSection view={view} devices={devices} />
          <RemovedSection removed={view.removed} />
          <UnmatchedSection view={view} devices={devices} />
        </div>
        <div className={classes.stack}>
          <KeystoreSection view={view} />
        </div>
      </div>
    </>
  );
}

/** Shown if the keystore file is missing or damaged while the keystore is open here. Offers to write it again. */
function FileProblemAlert({ problem }: { problem: FileProblem }) {
  const { t } = useTranslation('keys');
  const keySession = useKeys();
  const action = useAction();
  return (
    <Alert
      variant="light"
      color="red"
      icon={<Icon name="alert" />}
      title={t(`problem.${problem}.title`)}
      role="alert"
      mb="md"
    >
      <Stack gap="sm">
        <Text size="sm">{t(`problem.${problem}.text`)}</Text>
        <Fault error={action.error} />
        {problem === 'newer_version' ? null : (
          <Group>
            <Button size="xs" loading={action.isRunning} onClick={() => action.run(() => keySession.save())}>
              {t(`problem.${problem}.save`)}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Says what exists only in this keystore, because it was neither exported nor tested from paper. */
function BackupNudge({ view }: { view: KeysView }) {
  const { secrets, fieldKeys } = useOnlyHere(view);
  const { t } = useTranslation('keys');
  if (secrets + fieldKeys === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="keys-backup">
      <h2 id="keys-backup">{t('backup.title')}</h2>
      <Caution role="status">
        {[
          secrets === 0 ? '' : t('backup.secrets', { count: secrets }),
          fieldKeys === 0 ? '' : t('backup.fieldKeys', { count: fieldKeys }),
          t('backup.text'),
        ]
          .filter((part) => part !== '')
          .join(' ')}
      </Caution>
      <div>
        <ExportButton />
      </div>
    </section>
  );
}
