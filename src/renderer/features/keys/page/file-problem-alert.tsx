import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Fault } from '../parts/fault.tsx';
import { useAction } from '../parts/use-action.ts';
import { keySession } from '../session/page-keys.ts';
import type { FileProblem } from '../session/types.ts';

/** The keystore's file was lost or spoilt while it is open here: says so, and offers to write what is open again. */
export function FileProblemAlert({ problem }: { problem: FileProblem }) {
  const { t } = useTranslation('keys');
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
