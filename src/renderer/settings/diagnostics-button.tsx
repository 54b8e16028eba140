import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../api/errors.ts';
import { useDiagnostics } from '../api/queries/settings.ts';
import { saveFile } from '../components/browser/save-file.ts';
import classes from './diagnostics-button.module.css';

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Collects diagnostics, shows everything that is in them, and saves them as a file. */
export function DiagnosticsButton({ label, size = 'xs' }: { label: string; size?: 'xs' | 'sm' }) {
  const { t } = useTranslation(['settings', 'app']);
  const make = useDiagnostics();
  const { data } = make;
  return (
    <>
      <Button size={size} variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        {label}
      </Button>
      {make.isError ? (
        <Text size="xs" mt={4} c="var(--mantine-color-error)" role="alert">
          {t(`app:error.${errorCode(make.error)}.text`)}
        </Text>
      ) : null}
      <Modal
        opened={data !== undefined}
        onClose={make.reset}
        title={t('diagnostics.title')}
        size="xl"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {data === undefined ? null : (
          <Stack gap="sm">
            <Text size="sm">{t('diagnostics.shown')}</Text>
            <div className={classes.files}>
              {data.files.map(({ name, text }) => (
                <section key={name} aria-label={name}>
                  <Text size="sm" fw={500} mb={4}>
                    {name}
                  </Text>
                  {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
                  <pre className={classes.file} tabIndex={0}>
                    {text}
                  </pre>
                </section>
              ))}
            </div>
            <Group justify="flex-end" gap="xs">
              <Button size="xs" variant="default" onClick={make.reset}>
                {t('cancel')}
              </Button>
              <Button
                size="xs"
                data-autofocus
                onClick={() => {
                  saveFile(new Blob([bytesOf(data.zip)], { type: 'application/zip' }), data.name);
                  make.reset();
                }}
              >
                {t('diagnostics.save')}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
