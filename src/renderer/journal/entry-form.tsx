import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { isTooFarAhead, MAX_ENTRY_LENGTH } from '../../shared/owner-data/limits.ts';
import { logKind } from '../../shared/owner-data/log-kinds.ts';
import { useMe } from '../api/me.tsx';
import { useNode } from '../api/node-connection.ts';
import { useDeleteEntry, useWriteEntry } from '../api/queries/journal.ts';
import { useOverview } from '../api/queries/overview.ts';
import { fromLocalInput, toLocalInput } from '../charts/range/chart-range.ts';
import { DialogFooter } from '../components/dialog.tsx';
import { CallFailure } from '../components/failure.tsx';
import { useScalesOf } from '../devices/use-scales.ts';
import { ActFields } from './act-fields.tsx';
import { actOf, type EntryKind, formOf, kindOf, lastAct } from './act-form.ts';
import { CalibrationFields } from './calibration-fields.tsx';
import { calibrationAct, calibrationForm } from './calibration-form.ts';
import { PhotoPicker, type PickedPhoto } from './photos/photo-picker.tsx';
import { useWholePlaces } from './use-whole-places.ts';

/** A device that an entry may be about. */
export interface NamedDevice {
  readonly id: string;
  readonly name: string;
}

interface Props {
  /** The entry to change; null for a new one. */
  readonly entry: JournalEntry | null;
  /** The kind of a new entry. */
  readonly kind: EntryKind;
  /** The time of a new entry, in Unix milliseconds. */
  readonly at: number;
  /** A new entry is about the first device. */
  readonly devices: readonly NamedDevice[];
  /** The crop cycle of a group whose entries are of the whole group at first. */
  readonly cycle?: string | undefined;
  /** Earlier entries, oldest first, which fill in a new one. */
  readonly earlier: readonly JournalEntry[];
  readonly onClose: () => void;
}

const NO_UNITS = { notes: { units: {} } };
/** The choice of the whole place of a crop cycle. */
const WHOLE = 'whole';

/** The form of an entry. */
export function EntryForm({ entry, kind, at, devices, cycle, earlier, onClose }: Props) {
  const { t } = useTranslation(['journal', 'app']);
  const write = useWriteEntry();
  const remove = useDeleteEntry();
  const [time, setTime] = useState(() => toLocalInput(entry?.at ?? at));
  const [text, setText] = useState(entry?.text ?? '');
  const whole = cycle ?? (entry?.device === null ? entry.act?.cycle : undefined);
  const wholePlace = useWholePlaces()(whole);
  const mayBeWhole = wholePlace !== null && kind !== 'note' && kind !== 'calibrated';
  const [device, setDevice] = useState(() => {
    if (entry === null) return mayBeWhole ? WHOLE : (devices[0]?.id ?? '');
    return entry.device ?? (entry.act?.cycle !== undefined && wholePlace !== null ? WHOLE : '');
  });
  const [form, setForm] = useState(() =>
    entry === null ? formOf(kind, lastAct(earlier, kind, devices[0]?.id ?? null)) : formOf(kindOf(entry), entry.act),
  );
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>(
    () => entry?.act?.photos?.map((photo) => ({ photo, preview: null })) ?? [],
  );
  const [isAdding, setAdding] = useState(false);
  const [isTried, setTried] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const chosen = fromLocalInput(time);
  const { clock } = useNode();
  const timeFault = chosen === null ? 'timeMissing' : isTooFarAhead(chosen, clock.now()) ? 'timeAhead' : null;
  const { isBounded } = useMe();
  const isCalibration = form.kind === 'calibrated';
  const overview = useOverview().data;
  const summary = [...(overview?.devices ?? []), ...(overview?.hidden ?? [])].find(({ id }) => id === device);
  const scales = useScalesOf()(summary ?? NO_UNITS);
  const [typed, setTyped] = useState(() => calibrationForm(entry?.act, (field) => scales[field]));
  const calibrated = isCalibration ? calibrationAct(typed, scales[typed.field]) : null;
  const acted = calibrated === null ? actOf(form) : 'act' in calibrated ? calibrated : {};
  const needsText = form.kind === 'note' || logKind(form.kind).needsText === true;
  // A photo may replace the text of an observation.
  const lacksText = needsText && text.trim() === '' && !(form.kind === 'observed' && photos.length > 0);
  const products = earlier.flatMap(({ act }) => (act?.kind === form.kind && act.product ? [act.product] : []));
  const failed = write.error ?? remove.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (chosen === null || timeFault !== null || lacksText || isAdding || !('act' in acted)) return;
    // If the owner did not change the time, the entry keeps its milliseconds.
    const when = entry !== null && time === toLocalInput(entry.at) ? entry.at : chosen;
    const written = {
      id: entry?.id ?? null,
      device: device === '' || device === WHOLE ? null : device,
      at: when,
      text: text.trim(),
    };
    // A changed harvest stays in its crop cycle.
    const of = device === WHOLE ? whole : acted.act?.kind === entry?.act?.kind ? entry?.act?.cycle : undefined;
    const act = acted.act && {
      ...acted.act,
      ...(of === undefined ? {} : { cycle: of }),
      ...(photos.length === 0 ? {} : { photos: photos.map(({ photo }) => photo) }),
    };
    write.mutate(act === undefined ? written : { ...written, act }, { onSuccess: onClose });
  };
  const onDelete = (): void => {
    if (isDeleting && entry !== null) remove.mutate(entry.id, { onSuccess: onClose });
    setDeleting(true);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {form.kind === 'note' ? null : <Text fw={600}>{t(`kind.${form.kind}`)}</Text>}
        <ActFields
          form={form}
          onChange={setForm}
          faults={isTried && calibrated === null && !('act' in acted) ? acted : {}}
          products={[...new Set(products)]}
        />
        {isCalibration && summary !== undefined ? (
          <CalibrationFields
            device={summary}
            scales={scales}
            form={typed}
            onChange={setTyped}
            fault={isTried && calibrated !== null && 'fault' in calibrated ? calibrated.fault : null}
          />
        ) : null}
        <Textarea
          size="sm"
          autosize
          minRows={2}
          maxRows={8}
          label={t(form.kind === 'note' ? 'dialog.text' : form.kind === 'sprayed' ? 'act.why' : 'act.text')}
          {...(form.kind === 'note' ? { placeholder: t('dialog.example') } : {})}
          maxLength={MAX_ENTRY_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isTried && lacksText ? t('dialog.textMissing') : undefined}
          data-autofocus={form.kind === 'note' || form.kind === 'observed' || undefined}
        />
        {form.kind === 'note' ? null : (
          <PhotoPicker entry={entry?.id ?? null} photos={photos} onChange={setPhotos} onBusy={setAdding} />
        )}
        <TextInput
          type="datetime-local"
          step={1}
          size="sm"
          label={t('dialog.time')}
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
          error={isTried && timeFault !== null ? t(`dialog.${timeFault}`) : undefined}
        />
        <NativeSelect
          size="sm"
          label={t('dialog.of')}
          value={device}
          onChange={(event) => setDevice(event.currentTarget.value)}
          data={[
            ...(mayBeWhole || device === WHOLE ? [{ value: WHOLE, label: wholePlace ?? t('allDevices') }] : []),
            ...devices.map(({ id, name }) => ({ value: id, label: name })),
            ...(device === '' || device === WHOLE || devices.some(({ id }) => id === device)
              ? []
              : [{ value: device, label: t('anotherDevice') }]),
            ...(isCalibration || isBounded ? [] : [{ value: '', label: t('allDevices') }]),
          ]}
        />
        <CallFailure error={failed} lead={t('dialog.failed')} />
        {entry === null ? null : (
          <Group>
            <Button
              variant={isDeleting ? 'filled' : 'default'}
              color="red"
              size="xs"
              loading={remove.isPending}
              onClick={onDelete}
            >
              {t(isDeleting ? 'dialog.deleteSure' : 'dialog.delete')}
            </Button>
          </Group>
        )}
        <DialogFooter onLeave={onClose}>
          <Button type="submit" size="xs" loading={write.isPending} disabled={isAdding}>
            {t('app:common.save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
