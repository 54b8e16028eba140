import { Button, Text } from '@mantine/core';
import { lazy, memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../shared/owner-api/devices.ts';
import { useMe } from '../../api/me.tsx';
import type { View } from '../../charts/view.ts';
import { Icon } from '../../components/icon.tsx';
import { JournalSection } from '../../journal/journal-section.tsx';
import type { Mark } from '../../journal/marks.ts';
import classes from './notes-section.module.css';

const NotesDialog = lazy(() => import('./about/notes/notes-dialog.tsx'));

interface Props {
  readonly device: DeviceDetail;
  readonly view: View;
  readonly marks: readonly Mark[];
  readonly isUnknown: boolean;
  readonly isCut: boolean;
}

/** Shows the owner's notes about the device, and its journal. */
export const NotesSection = memo(function NotesSection({ device, view, marks, isUnknown, isCut }: Props) {
  const { t } = useTranslation(['device', 'journal']);
  const { role } = useMe();
  const [isEditing, setEditing] = useState(false);
  const name = deviceName(device);
  const { text } = device.notes;
  return (
    <JournalSection
      view={view}
      marks={marks}
      isUnknown={isUnknown}
      isCut={isCut}
      devices={[{ id: device.id, name }]}
      nameOf={() => name}
    >
      {role === 'owner' ? (
        <div className={classes.about}>
          {text === '' ? (
            <Text size="sm" c="dimmed">
              {t('journal:aboutNone')}
            </Text>
          ) : (
            <p className={classes.text}>{text}</p>
          )}
          <Button
            className={classes.edit ?? ''}
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="edit" size={14} />}
            onClick={() => setEditing(true)}
          >
            {t('journal:aboutEdit')}
          </Button>
        </div>
      ) : null}
      {isEditing ? (
        <Suspense fallback={null}>
          <NotesDialog device={device} onClose={() => setEditing(false)} />
        </Suspense>
      ) : null}
    </JournalSection>
  );
});
