import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDiagnostics } from '../api/queries/settings.ts';
import { saveFile } from '../components/browser/save-file.ts';
import { Dialog, DialogFooter } from '../components/dialog.tsx';
import { CallFailure } from '../components/failure.tsx';
import classes from './diagnostics-button.module.css';

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** A button that collects diagnostics, shows all their content, and saves them as a file. */
export function DiagnosticsButton({ label, size = 'xs' }: { label: string; size?: 'xs' | 'sm' }) {
  const { t } = useTranslation(['settings', 'app']);
  const make = useDiagnostics();
  const { data } = make;
  return (
    <>
      <Button size={size} variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        {label}
      </Button>
      <CallFailure error={make.error} />
      {data === undefined ? null : (
        <Dialog onClose={make.reset} title={t('diagnostics.title')} size="xl">
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
          <DialogFooter onLeave={make.reset}>
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
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}
