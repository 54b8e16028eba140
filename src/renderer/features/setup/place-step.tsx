import { Autocomplete, Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { displayText } from '../../../shared/display-text.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useSetOwnerChoices } from '../../api/queries/choices.ts';
import { useSetNotes } from '../../api/queries/devices.ts';
import { withPlace } from '../../devices/groups/groups.ts';
import { newId } from '../../new-id.ts';
import type { Setup } from '../../setup/use-setup.ts';
import classes from './setup.module.css';
import { Failed, FIRST_SHOWN, MoreDevices, NoDevice } from './step-parts.tsx';

const MAX_NAME = 100;

/** Asks for the name of each device, and for its group. */
export function PlaceStep({ setup: { devices, unplaced, choices } }: { setup: Setup }) {
  const { t } = useTranslation('setup');
  const places = choices.groups.map(({ name }) => name);
  if (devices.length === 0) return <NoDevice />;
  return (
    <>
      <p>{t(unplaced.length === 0 ? 'place.done' : 'place.text')}</p>
      {unplaced.slice(0, FIRST_SHOWN).map((device) => (
        <PlaceForm key={device.id} device={device} places={places} />
      ))}
      <MoreDevices of={unplaced} />
    </>
  );
}

function PlaceForm({ device, places }: { device: DeviceSummary; places: readonly string[] }) {
  const { t } = useTranslation('setup');
  const notes = useSetNotes();
  const choose = useSetOwnerChoices();
  const own = displayText(device.name);
  const [name, setName] = useState(own);
  const [place, setPlace] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const group = place.trim();
    // The form disappears once the name is saved, so the place is saved first.
    if (group !== '') {
      await choose.mutateAsync(({ groups }) => ({ groups: withPlace(groups, device.id, group, newId()) }));
    }
    await notes.mutateAsync({ id: device.id, change: { displayName: name.trim() || own } });
  };
  return (
    <form
      className={classes.device}
      aria-label={own}
      onSubmit={(event) => void submit(event).catch(() => undefined)}
      autoComplete="off"
    >
      <TextInput
        size="sm"
        label={t('place.name')}
        maxLength={MAX_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Autocomplete
        size="sm"
        label={t('place.place')}
        placeholder={t('place.example')}
        maxLength={MAX_NAME}
        data={[...new Set(places)]}
        value={place}
        onChange={setPlace}
      />
      <Button type="submit" size="sm" loading={notes.isPending || choose.isPending}>
        {t('place.save')}
      </Button>
      <Failed error={notes.error ?? choose.error} />
    </form>
  );
}
