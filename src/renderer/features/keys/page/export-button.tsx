import { Button } from '@mantine/core';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { saveFile } from '../../device/export/run-export.ts';
import { Fault } from '../parts/fault.tsx';
import { useAction } from '../parts/use-action.ts';
import { keySession } from '../session/page-keys.ts';
import { KeySessionError } from '../session/types.ts';

function fileName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `wellhouse_keystore_${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.wellhouse`;
}

/** Hands the keystore's file, encrypted as it is, to the browser's downloads. */
export function ExportButton() {
  const { t } = useTranslation('keys');
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const bytes = await keySession.file();
      if (bytes === null) throw new KeySessionError('gone');
      saveFile(
        new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }),
        fileName(new Date()),
      );
    });
  return (
    <>
      <Button variant="default" size="xs" leftSection={<Icon name="download" />} onClick={save}>
        {t('keystore.export')}
      </Button>
      <Fault error={action.error} />
    </>
  );
}
