import { Button, Group, Progress, Text } from '@mantine/core';
import i18next from 'i18next';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import { MAX_KEY_VERSION } from '../../shared/protocol/limits.ts';
import { useLatestReadings } from '../api/queries/readings.ts';
import { Icon } from '../components/icon.tsx';
import { useFormat } from '../format/format.ts';
import { Fault } from '../keys/parts/messages.tsx';
import { useAction } from '../keys/parts/use-action.ts';
import { resolveKeys } from '../keys/session/opening.ts';
import { useKeys } from '../keys/session/page-keys.ts';
import type { KeysView, ResolvedKeyView } from '../keys/types.ts';
import classes from './keyring.module.css';
import { OwnerMatch } from './owner-match.tsx';
import { useVersionCounts } from './use-version-counts.ts';
import { type VersionRow, VersionTable } from './version-table.tsx';

const GiveDialog = lazy(() => import('./give-dialog.tsx'));
const ImportDialog = lazy(() => import('./import-dialog.tsx'));

// Some components are shared with the page of the keys and use its texts.
await i18next.loadNamespaces('keys');

const NONE: readonly OwnerReading[] = [];

type Shown =
  | { readonly kind: 'give'; readonly keyVersion: number; readonly isNew: boolean }
  | { readonly kind: 'import'; readonly keyVersion: number };

/** The last change, and the id to undo it. */
interface Done {
  readonly text: string;
  readonly undoId: string | null;
}

/** The key versions of a device, with their actions. Mounted only while the keys are unlocked. */
export default function Keyring({ device, view }: { device: DeviceDetail; view: KeysView }) {
  const { t } = useTranslation(['keyring', 'app']);
  const format = useFormat();
  const latest = useLatestReadings(device.id).data ?? NONE;
  const { run, counts, countAll, cancel } = useVersionCounts(device, latest);
  const [shown, setShown] = useState<Shown | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const keySession = useKeys();
  const action = useAction();

  const seen = useSeenVersions(device, counts);
  const entries = view.fieldKeys.filter(({ deviceId }) => deviceId === device.id);
  const versions = [...new Set([...seen, ...entries.map(({ keyVersion }) => keyVersion)])].sort((a, b) => b - a);
  const resolved = useResolvedKeys(device, view, versions.join(' '));
  const rows = versions.map(
    (keyVersion): VersionRow => ({
      keyVersion,
      keys: resolved.filter((key) => key.keyVersion === keyVersion),
      entry: entries.find((entry) => entry.keyVersion === keyVersion),
      count: counts.find((count) => count.keyVersion === keyVersion),
    }),
  );

  const total = device.readings.reduce((most, { count }) => Math.max(most, count), 0);
  const isCounted = run.state === 'done' || total <= latest.length;
  const rotate = (): void =>
    action.run(async () => {
      // An existing reading must not get another key, so the new version must be higher than the versions of all
      // readings.
      const all = isCounted ? [] : await countAll();
      if (all === null) return;
      const seenVersions = [...new Set([...seen, ...all.map(({ keyVersion }) => keyVersion)])];
      const { entry } = await keySession.change('addKeyVersion', { device: keyDevice(device), seenVersions });
      setDone(null);
      setShown({ kind: 'give', keyVersion: entry.keyVersion, isNew: true });
    });
  const remove = (keyVersion: number): void =>
    action.run(async () => {
      const { undoId } = await keySession.change('removeFieldKey', { deviceId: device.id, keyVersion });
      setDone({ text: t('done.removed', { version: keyVersion }), undoId });
    });
  const undo = (undoId: string): void =>
    action.run(async () => {
      await keySession.change('undo', { undoId });
      setDone({ text: t('done.undone'), undoId: null });
    });

  return (
    <div className={classes.card}>
      <OwnerMatch device={device} view={view} />
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('empty')}
        </Text>
      ) : (
        <VersionTable
          device={device}
          view={view}
          rows={rows}
          onGive={(keyVersion) => setShown({ kind: 'give', keyVersion, isNew: false })}
          onImport={(keyVersion) => setShown({ kind: 'import', keyVersion })}
          onRemove={remove}
        />
      )}
      {run.state === 'running' ? (
        <div className={classes.bar}>
          <span role="status">
            {t('counts.running', {
              count: run.progress.total,
              done: format.integer(run.progress.done),
              total: format.integer(run.progress.total),
            })}
          </span>
          <Progress
            flex={1}
            miw={120}
            size="sm"
            value={(100 * run.progress.done) / Math.max(1, run.progress.total)}
            aria-label={t('counts.progress')}
          />
          <Button variant="default" size="compact-xs" onClick={cancel}>
            {t('app:common.cancel')}
          </Button>
        </div>
      ) : rows.length === 0 ? null : (
        <div className={classes.bar}>
          <Text size="xs" c="dimmed">
            {run.state === 'done'
              ? t('counts.ofAll', { count: run.total, shown: format.integer(run.total) })
              : t('counts.ofLatest', { count: latest.length, shown: format.integer(latest.length) })}
          </Text>
          {isCounted ? null : (
            <Button variant="default" size="compact-xs" onClick={() => void countAll()}>
              {t('counts.all', { shown: format.integer(total) })}
            </Button>
          )}
        </div>
      )}
      {run.state === 'failed' ? <Fault error={run.error} /> : null}
      <Fault error={action.error} />
      {done === null ? null : (
        <div className={classes.bar} role="status">
          <Icon name="check" size={14} />
          {done.text}
          {done.undoId === null ? null : (
            <Button variant="default" size="compact-xs" loading={action.isRunning} onClick={() => undo(done.undoId!)}>
              {t('common.undo')}
            </Button>
          )}
        </div>
      )}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() =>
            setShown({ kind: 'import', keyVersion: rows.find(({ keys }) => keys.length === 0)?.keyVersion ?? 1 })
          }
        >
          {t('import.open')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="refresh" size={14} />}
          loading={action.isRunning}
          disabled={versions[0] === MAX_KEY_VERSION}
          onClick={rotate}
        >
          {t('rotate')}
        </Button>
      </Group>
      <Suspense fallback={null}>
        {shown?.kind === 'give' ? (
          <GiveDialog device={device} {...shown} onClose={() => setShown(null)} />
        ) : shown?.kind === 'import' ? (
          <ImportDialog
            deviceId={device.id}
            keyVersion={shown.keyVersion}
            onClose={() => setShown(null)}
            onDone={({ added, conflicting, undoId }) => {
              const count = added.length + conflicting.length;
              setDone({ text: t('done.imported', { count, shown: format.integer(count) }), undoId });
              setShown(null);
            }}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

function keyDevice({ id, ownerPubkey }: DeviceDetail) {
  return { id, ownerPubkey };
}

/** Returns the key versions of readings with sealed fields, as far as this page knows them. */
function useSeenVersions(device: DeviceDetail, counts: readonly { readonly keyVersion: number }[]): number[] {
  const ofNewest = FIELD_NAMES.flatMap((field) => {
    const newest = device.newest[field];
    return newest === null || typeof newest.value === 'number' ? [] : [newest.keyVersion];
  });
  return [...new Set([...ofNewest, ...counts.map(({ keyVersion }) => keyVersion)])];
}

/** Returns the keys to try for these versions (numbers separated by spaces). */
function useResolvedKeys({ id, ownerPubkey }: DeviceDetail, view: KeysView, versions: string) {
  const keySession = useKeys();
  const [resolved, setResolved] = useState<readonly ResolvedKeyView[]>([]);
  const wanted = useMemo(() => (versions === '' ? [] : versions.split(' ').map(Number)), [versions]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view may hold other keys
  useEffect(() => {
    let isLatest = true;
    resolveKeys(keySession, { id, ownerPubkey }, wanted).then(
      (keys) => {
        if (isLatest) setResolved(keys);
      },
      // The keys were locked, so this component is about to be unmounted.
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [keySession, id, ownerPubkey, wanted, view]);
  return resolved;
}
