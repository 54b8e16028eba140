import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Progress,
  Radio,
  SegmentedControl,
  Stack,
  Text,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../../shared/display-text.ts';
import { CSV_DIALECTS, type CsvDialect } from '../../../../shared/export/csv.ts';
import { fileName } from '../../../../shared/export/file-name.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { type ApiErrorCode, errorCode } from '../../../api/errors.ts';
import { useMe } from '../../../api/me.tsx';
import { useNode } from '../../../api/node-connection.ts';
import { TimeFields, timesOf, timeTexts } from '../../../charts/range/time-fields.tsx';
import type { View } from '../../../charts/view.ts';
import { saveFile } from '../../../components/browser/save-file.ts';
import { Dialog, DialogFooter } from '../../../components/dialog.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { useCsvDialect } from '../../../export/use-csv-dialect.ts';
import { useFormat } from '../../../format/format.ts';
import { openForProof } from '../../../keys/session/opening.ts';
import { keySessionOf } from '../../../keys/session/page-keys.ts';
import { useDerivedBy } from '../../../opening/derived.ts';
import { useOpeningKeys } from '../../../opening/opened.ts';
import { useOpening } from '../../../opening/opening.ts';
import { pageOpener } from '../../../opening/page-opener.ts';
import { type ColumnId, timeOf } from '../row.ts';
import { buildProof, type OpenEntries } from './build-proof.ts';
import { ALL_COLUMNS } from './export-row.ts';
import { buildExport, type ExportFormat, type ExportProgress, type ExportSource } from './run-export.ts';

interface Props {
  readonly device: DeviceDetail;
  readonly columns: readonly ColumnId[];
  /** The rows of the table in order, as they were when the dialog opened. */
  readonly shown: readonly OwnerReading[];
  /** The number of readings in the range on all pages; null if it is unknown but more than one page. */
  readonly total: number | null;
  /** Whether the table has a filter. An export of a range ignores it. */
  readonly isFiltered: boolean;
  readonly view: View;
  readonly onClose: () => void;
}

type Run =
  | { readonly state: 'idle' | 'refused' | 'cancelled' | 'notLogged' | 'noOwnerKey' }
  | { readonly state: 'running'; readonly progress: ExportProgress | null }
  | {
      readonly state: 'done';
      readonly count: number;
      /** The number of readings that a proof lacks, because the node's log does not have them. */
      readonly leftOut: number;
      readonly blob: Blob;
      readonly name: string;
      readonly isOpened: boolean;
    }
  | { readonly state: 'failed'; readonly code: ApiErrorCode | 'locked' };

/** Saves readings to a file: those of the table, or all of a range. */
export default function ExportDialog({ device, columns, shown, total, isFiltered, view, onClose }: Props) {
  const { t } = useTranslation(['device', 'charts', 'app']);
  const format = useFormat();
  const isPage = total === null || total > shown.length;
  // If the range has several pages, the whole range is the default, unless a filter is set: an export of a range
  // ignores it.
  const [what, setWhat] = useState<'shown' | 'range'>(isPage && !isFiltered ? 'range' : 'shown');
  const [fileFormat, setFileFormat] = useState<ExportFormat | 'proof'>('csv');
  const [texts, setTexts] = useState(() => timeTexts(view));
  const [run, setRun] = useState<Run>({ state: 'idle' });
  const [opens, setOpens] = useState(true);
  // A proof is made to be passed on, so the owner chooses each time what it reveals.
  const [proofOpens, setProofOpens] = useState(false);
  const node = useNode();
  const { api } = node;
  const isOwner = useMe().role === 'owner';
  const { store } = useOpening();
  const [dialect, setDialect] = useCsvDialect();
  const scales = useScales(device);
  const derivedBy = useDerivedBy(device);
  const keys = useOpeningKeys();
  const controller = useRef<AbortController | null>(null);
  // A finished file is kept so that it can be saved again. If it contains opened values, it is dropped when the keys
  // are locked.
  useEffect(() => {
    if (keys === null) setRun((before) => (before.state === 'done' && before.isOpened ? { state: 'idle' } : before));
  }, [keys]);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async (): Promise<void> => {
    const times = timesOf(texts);
    if (what === 'range' && (times === null || times.from > times.to)) {
      setRun({ state: 'refused' });
      return;
    }
    const aborting = new AbortController();
    controller.current = aborting;
    setRun({ state: 'running', progress: null });
    let count = shown.length;
    let leftOut = 0;
    const isOpened = (fileFormat === 'proof' ? proofOpens : opens) && keys !== null;
    const source: ExportSource =
      what === 'shown'
        ? { kind: 'shown', readings: shown }
        : // The field has whole seconds, and the range includes all of the last one.
          { kind: 'range', id: device.id, from: times!.from, to: times!.to + 999 };
    const onProgress = (progress: ExportProgress) => {
      count = progress.total;
      setRun({ state: 'running', progress });
    };
    try {
      let blob: Blob;
      if (fileFormat === 'proof') {
        const open: OpenEntries = (entries, signal) => openForProof(keySessionOf(node), device, entries, signal);
        const proof = await buildProof(device, source, api, aborting.signal, onProgress, isOpened ? open : null);
        if (proof.blob === null) {
          setRun({ state: proof.opened === null ? 'noOwnerKey' : 'notLogged' });
          return;
        }
        ({ blob, leftOut, readings: count } = proof);
      } else {
        blob = await buildExport(
          source,
          fileFormat,
          {
            columns: what === 'shown' ? columns : ALL_COLUMNS,
            scales,
            clockNotSet: device.clockNotSet,
            corrections: device.corrections,
            derivedBy,
            dialect,
          },
          api,
          aborting.signal,
          onProgress,
          isOpened ? pageOpener(store, device) : null,
        );
      }
      const name = fileName({
        device: deviceName(device),
        ...(what === 'shown' ? spanOf(shown, device.clockNotSet) : { from: times!.from, to: times!.to + 999 }),
        resolution: 'readings',
        extension: fileFormat,
      });
      saveFile(blob, name);
      setRun({ state: 'done', count, leftOut, blob, name, isOpened });
    } catch (error) {
      setRun(aborting.signal.aborted ? { state: 'cancelled' } : { state: 'failed', code: errorCode(error) });
    }
  };
  const running = run.state === 'running';
  const done = running && run.progress !== null ? (100 * run.progress.done) / Math.max(1, run.progress.total) : 0;
  const all = (): void => {
    if (device.span !== null) setTexts(timeTexts(device.span));
  };

  return (
    <Dialog onClose={onClose} title={t('export.title')} isHeld={running}>
      <Stack gap="md">
        <Radio.Group label={t('export.what')} value={what} onChange={(value) => setWhat(value as 'shown' | 'range')}>
          <Stack gap={6} mt={6}>
            <Radio
              value="shown"
              label={t(isPage ? 'export.shownPart' : 'export.shown', {
                count: shown.length,
                shown: format.integer(shown.length),
                total: total === null ? '…' : format.integer(total),
              })}
              description={t(fileFormat === 'proof' ? 'export.proofOrder' : 'export.shownText')}
              disabled={running}
            />
            <Radio
              value="range"
              label={t('export.range')}
              description={t(fileFormat === 'proof' ? 'export.proofOrder' : 'export.rangeText')}
              disabled={running}
            />
          </Stack>
        </Radio.Group>
        {what === 'range' ? (
          <Stack gap="xs" align="stretch">
            <TimeFields value={texts} onChange={setTexts} disabled={running} />
            <Group justify="flex-end">
              <Button variant="subtle" size="compact-xs" disabled={running || device.span === null} onClick={all}>
                {t('export.all')}
              </Button>
            </Group>
          </Stack>
        ) : null}
        <SegmentedControl
          aria-label={t('export.format')}
          size="xs"
          value={fileFormat}
          onChange={(value) => setFileFormat(value as ExportFormat | 'proof')}
          disabled={running}
          data={[
            { value: 'csv', label: t('export.csv') },
            { value: 'ndjson', label: t('export.ndjson') },
            ...(isOwner ? [{ value: 'proof', label: t('export.proof') }] : []),
          ]}
        />
        <Text size="xs" c="dimmed">
          {t(`export.${fileFormat}Text`)}
        </Text>
        {fileFormat === 'csv' ? (
          <NativeSelect
            size="xs"
            label={t('export.dialect')}
            description={t('export.dialectText')}
            value={dialect}
            disabled={running}
            onChange={(event) => setDialect(event.currentTarget.value as CsvDialect)}
            data={CSV_DIALECTS.map((each) => ({ value: each, label: t(`export.dialects.${each}`) }))}
          />
        ) : null}
        {keys === null ? null : (
          <Checkbox
            size="xs"
            checked={fileFormat === 'proof' ? proofOpens : opens}
            disabled={running}
            onChange={(event) => (fileFormat === 'proof' ? setProofOpens : setOpens)(event.currentTarget.checked)}
            label={t('export.opened')}
            description={t(`export.openedText.${fileFormat}`)}
          />
        )}
        {running ? (
          <Stack gap={4}>
            <Progress value={done} aria-label={t('export.progress')} />
            <Text size="xs" role="status">
              {run.progress === null
                ? t('export.starting')
                : t('export.done', {
                    count: run.progress.total,
                    done: format.integer(run.progress.done),
                    total: format.integer(run.progress.total),
                  })}
            </Text>
          </Stack>
        ) : null}
        <Outcome run={run} />
        <DialogFooter
          leave={t(running ? 'app:common.cancel' : 'app:common.close')}
          onLeave={running ? () => controller.current?.abort() : onClose}
        >
          <Button size="xs" loading={running} onClick={() => void start()}>
            {t('export.start')}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}

/** Returns the times of the first and the last reading, for the file name. */
function spanOf(readings: readonly OwnerReading[], clockNotSet: boolean) {
  const times = readings.map(({ timestamp, receivedAt }) => (clockNotSet ? null : timeOf(timestamp)) ?? receivedAt);
  return times.length === 0 ? { from: null, to: null } : { from: Math.min(...times), to: Math.max(...times) };
}

function Outcome({ run }: { run: Run }) {
  const { t } = useTranslation(['device', 'charts', 'app']);
  const format = useFormat();
  switch (run.state) {
    case 'done':
      return (
        <Alert variant="light" color="green" p="xs" role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {t('export.finished', { count: run.count, shown: format.integer(run.count), name: run.name })}
              {run.leftOut === 0
                ? null
                : ` ${t('export.leftOut', { count: run.leftOut, shown: format.integer(run.leftOut) })}`}
            </Text>
            <Button variant="default" size="compact-xs" onClick={() => saveFile(run.blob, run.name)}>
              {t('export.again')}
            </Button>
          </Group>
        </Alert>
      );
    case 'failed':
      return (
        <Alert variant="light" color="red" p="xs" role="alert">
          {run.code === 'locked' ? t('export.locked') : `${t('export.failed')} ${t(`app:error.${run.code}.text`)}`}
        </Alert>
      );
    case 'notLogged':
    case 'noOwnerKey':
      return (
        <Text size="sm" role="status">
          {t(`export.${run.state}`)}
        </Text>
      );
    case 'refused':
    case 'cancelled':
      return (
        <Text size="sm" role="status">
          {t(run.state === 'refused' ? 'charts:range.refused' : 'export.cancelled')}
        </Text>
      );
    default:
      return null;
  }
}
