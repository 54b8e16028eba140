import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getApi } from '../../api/client.ts';
import { errorCode } from '../../api/errors.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { saveFile } from '../device/export/run-export.ts';
import { Row, Section } from './section.tsx';
import classes from './settings.module.css';

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Makes the diagnostics, shows all that is in them, and saves just that. */
export function DiagnosticsButton({ label, size = 'xs' }: { label: string; size?: 'xs' | 'sm' }) {
  const { t } = useTranslation('settings');
  const make = useMutation({ mutationFn: () => getApi().call('diagnostics', {}) });
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

/** What helps to find a fault. */
export function DiagnosticsSection() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('section.help')}>
      <Row name={t('diagnostics.name')} text={t('diagnostics.text')}>
        <DiagnosticsButton label={t('diagnostics.make')} />
      </Row>
    </Section>
  );
}
