import { ActionIcon, Button, Group, Menu, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { farmosLogs } from '../../shared/export/farmos.ts';
import { fileName } from '../../shared/export/file-name.ts';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { LOG_KIND_NAMES } from '../../shared/owner-data/log-kinds.ts';
import { logTotals } from '../../shared/owner-data/log-totals.ts';
import { LoggersOnly, OwnerOnly } from '../api/me.tsx';
import { useNode } from '../api/node-connection.ts';
import { useJournal } from '../api/queries/journal.ts';
import { zoneText } from '../charts/range/zone.ts';
import type { View } from '../charts/view.ts';
import { saveFile } from '../components/browser/save-file.ts';
import { Icon } from '../components/icon.tsx';
import { SectionHead } from '../components/section-head.tsx';
import { ErrorState } from '../components/states.tsx';
import { useCsvDialect } from '../export/use-csv-dialect.ts';
import { useFormat, useLocale } from '../format/format.ts';
import { type EntryKind, kindOf } from './act-form.ts';
import type { NamedDevice } from './entry-form.tsx';
import { journalCsv } from './journal-csv.ts';
import classes from './journal-section.module.css';
import type { Mark } from './marks.ts';
import { PhotoStrip, photosOf } from './photos/photo-strip.tsx';
import { TimelapseButton } from './photos/timelapse-button.tsx';
import { useActWords, useTotalWords } from './use-act-words.ts';
import { useWholePlaces } from './use-whole-places.ts';

const LogDialog = lazy(() => import('./log-dialog.tsx'));

/** The kind of entries that the list shows, or all. */
type Shown = EntryKind | 'all';
const SHOWN: readonly Shown[] = ['all', ...LOG_KIND_NAMES, 'note'];

interface Props {
  /** The range of the charts. The list uses the same numbers for its marks. */
  readonly view: View;
  readonly marks: readonly Mark[];
  /** Whether the entries of the range are unknown because the node is not reachable. */
  readonly isUnknown: boolean;
  /** Whether some entries of the range are missing. */
  readonly isCut: boolean;
  /** The shown devices. If there is only one, all of its entries can be listed. */
  readonly devices: readonly NamedDevice[];
  readonly nameOf: (device: string) => string;
  /** The crop cycle of a group whose new entries are of the whole group at first. */
  readonly cycle?: string | undefined;
  readonly children?: ReactNode;
}

/** The owner's entries by time, with their numbers in the charts. They can be written, changed and exported. */
export function JournalSection({ view, marks, isUnknown, isCut, devices, nameOf, cycle, children }: Props) {
  const { t } = useTranslation('journal');
  const { clock } = useNode();
  const locale = useLocale();
  const [dialect] = useCsvDialect();
  const [which, setWhich] = useState<'range' | 'all'>('range');
  const [shown, setShown] = useState<Shown>('all');
  const [editing, setEditing] = useState<Editing | null>(null);
  const only = devices.length === 1 ? devices[0]! : null;
  const all = useJournal({ device: only?.id ?? null, from: null, to: null });
  const isRange = which === 'range';
  const listed = isRange ? marks.map(({ entry }) => entry) : (all.data?.entries ?? []);
  const entries = shown === 'all' ? listed : listed.filter((entry) => kindOf(entry) === shown);
  const words = useTotalWords();
  const totals = logTotals(entries);
  const wholePlace = useWholePlaces();
  const placeOf = ({ device, act }: JournalEntry): string | null =>
    device === null ? wholePlace(act?.cycle) : nameOf(device);
  const numbers = new Map(marks.map(({ number, entry }) => [entry.id, number]));
  const save = (extension: 'csv' | 'json'): void =>
    saveFile(
      extension === 'csv'
        ? journalCsv(entries, (entry) => placeOf(entry) ?? 'all devices', dialect)
        : new Blob([JSON.stringify(farmosLogs(entries, nameOf), null, 2)], { type: 'application/json' }),
      fileName({
        device: only?.name ?? 'several devices',
        from: isRange ? Math.round(view.from) : null,
        to: isRange ? Math.round(view.to) : null,
        resolution: 'notes',
        extension,
      }),
    );
  return (
    <section aria-labelledby="journal-title" className={classes.section}>
      <SectionHead id="journal-title" title={t('title')}>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('which')}
            value={which}
            onChange={(value) => setWhich(value === 'all' ? 'all' : 'range')}
            data={(['range', 'all'] as const).map((value) => ({ value, label: t(`of.${value}`) }))}
          />
          <NativeSelect
            size="xs"
            aria-label={t('filter')}
            value={shown}
            onChange={({ currentTarget: { value } }) => setShown(SHOWN.find((each) => each === value) ?? 'all')}
            data={SHOWN.map((value) => ({ value, label: t(value === 'all' ? 'kinds' : `kind.${value}`) }))}
          />
          <LoggersOnly>
            <Button size="xs" onClick={() => setEditing({ entry: null, at: clock.now() })}>
              {t('log.open')}
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setEditing({ entry: null, kind: 'note', at: Math.min(clock.now(), view.to) })}
            >
              {t('add')}
            </Button>
          </LoggersOnly>
          <TimelapseButton devices={devices} nameOf={nameOf} />
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                variant="default"
                size="xs"
                leftSection={<Icon name="download" size={14} />}
                disabled={entries.length === 0}
              >
                {t('export')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => save('csv')}>{t('exportCsv')}</Menu.Item>
              <Menu.Item onClick={() => save('json')}>{t('exportJson')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </SectionHead>
      {children}
      {!isRange && all.isError ? <ErrorState error={all.error} onRetry={() => void all.refetch()} /> : null}
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t((isRange ? isUnknown : all.isError) ? 'unknown' : isRange ? 'noneInRange' : 'none')}
        </Text>
      ) : (
        <ol className={classes.list}>
          {entries.toReversed().map((entry) => (
            <Entry
              key={entry.id}
              entry={entry}
              number={numbers.get(entry.id)}
              device={entry.device !== null && only !== null ? null : (placeOf(entry) ?? t('allDevices'))}
              zone={zoneText(entry.at, locale)}
              onEdit={() => setEditing({ entry, at: entry.at })}
            />
          ))}
        </ol>
      )}
      {totals.length === 0 ? null : (
        <p className={classes.totals}>
          <b>{t('totals')}</b> {totals.map((total) => words(total)).join('; ')}
        </p>
      )}
      {(isRange ? isCut : all.data?.isCut) ? (
        <Text size="xs" c="dimmed">
          {t('cut')}
        </Text>
      ) : null}
      {editing === null ? null : (
        <Suspense fallback={null}>
          <LogDialog {...editing} devices={devices} cycle={cycle} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </section>
  );
}

interface Editing {
  readonly entry: JournalEntry | null;
  readonly kind?: EntryKind;
  readonly at: number;
}

interface EntryProps {
  readonly entry: JournalEntry;
  /** The number of the entry in the charts, if it is in view. */
  readonly number: number | undefined;
  /** The name of its device, if that is not obvious. */
  readonly device: string | null;
  readonly zone: string;
  readonly onEdit: () => void;
}

function Entry({ entry, number, device, zone, onEdit }: EntryProps) {
  const { t } = useTranslation('journal');
  const format = useFormat();
  const words = useActWords();
  const time = format.dateTime(entry.at);
  const act = words(entry);
  return (
    <li className={classes.entry}>
      {number === undefined ? (
        <span className={classes.noNumber} />
      ) : (
        <span className={classes.number} title={t('numbered', { number })}>
          {number}
        </span>
      )}
      <div className={classes.words}>
        <p className={classes.when}>
          <time dateTime={new Date(entry.at).toISOString()} title={zone}>
            {time}
          </time>
          {device === null ? null : <span> · {device}</span>}
          {entry.by === undefined ? null : <span> · {entry.by}</span>}
        </p>
        {act === null ? null : <p className={classes.act}>{act}</p>}
        {entry.text === '' ? null : <p className={classes.text}>{entry.text}</p>}
        <PhotoStrip photos={photosOf(entry)} />
      </div>
      <OwnerOnly>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('change', { time })} onClick={onEdit}>
          <Icon name="edit" size={14} />
        </ActionIcon>
      </OwnerOnly>
    </li>
  );
}
