import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../components/browser/save-file.ts';
import { Icon } from '../../../components/icon.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useNoteExport } from '../../../keys/session/exported.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import { KeySessionError } from '../../../keys/types.ts';

function fileName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `wellhouse_keystore_${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.wellhouse`;
}

/** Saves the encrypted keystore file through the browser's downloads. */
export function ExportButton() {
  const { t } = useTranslation('keys');
  const keySession = useKeys();
  const action = useAction();
  const noteExport = useNoteExport();
  const save = (): void =>
    action.run(async () => {
      const bytes = await keySession.file();
      if (bytes === null) throw new KeySessionError('gone');
      saveFile(
        new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }),
        fileName(new Date()),
      );
      await noteExport();
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
