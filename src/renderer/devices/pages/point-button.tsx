import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFormer, MAX_SERVERS, pointedTo, type ServerEntry, type ServerLists } from '../../../shared/device-page.ts';
import { displayText, shortId } from '../../../shared/display-text.ts';
import type { DeviceSays } from '../../../shared/owner-api/device-pages.ts';
import { usePointDevice } from '../../api/queries/device-pages.ts';
import { useGate, useOpenJoining } from '../../api/queries/gate.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { CallFailure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import classes from './pages.module.css';

interface Props {
  readonly address: string;
  readonly says: DeviceSays;
  /** The gate's address, in the device's format. */
  readonly server: string;
}

function listsOf({ external, local }: DeviceSays): ServerLists {
  const bare = (list: DeviceSays['local']) => list.map(({ name, url }) => ({ name, url }));
  return { external: bare(external), local: bare(local) };
}

/** A button that adds the gate to a device's servers. It shows the change first, and then the result. */
export function PointButton({ address, says, server }: Props) {
  const { t } = useTranslation(['join', 'app']);
  const isSmall = useSmallScreen();
  const point = usePointDevice();
  const open = useOpenJoining();
  const { data: gate } = useGate();
  const { data: overview } = useOverview();
  const [isOpen, setOpen] = useState(false);
  const before = listsOf(says);
  const former = gate?.previous ?? [];
  const after = pointedTo(before, server, former);
  const removed = before.local.filter((entry) => isFormer(entry, former));
  const name = displayText(says.name ?? '') || shortId(says.id);
  const isRegistered =
    overview?.devices.some(({ id, stores }) => id === says.id && stores.some(({ store }) => store === 'private')) ===
    true;
  const joins = !isRegistered && gate?.closesAt === null;
  const state = point.data?.state ?? null;
  if (state === 'told' || state === 'unconfirmed') return <PointedSteps id={says.id} isTold={state === 'told'} />;
  if (after === before) return null;
  const confirm = (): void => {
    if (joins) open.mutate(true);
    const input = ({ external, local }: ServerLists) => ({ external: [...external], local: [...local] });
    point.mutate({ id: says.id, address, before: input(before), after: input(after) });
  };
  return (
    <>
      <Button size="compact-xs" aria-label={t('point.of', { name })} onClick={() => setOpen(true)}>
        {t('point.point')}
      </Button>
      {isOpen ? (
        <Dialog onClose={() => setOpen(false)} title={t('point.title', { name })} isFullScreen={isSmall} size="lg">
          <p className={classes.plain}>{t('point.text')}</p>
          {removed.length === 0 ? null : (
            <p className={classes.plain}>
              {t('point.removes', { list: removed.map(({ url }) => displayText(url)).join(', ') })}
            </p>
          )}
          {says.name === null ? <p role="alert">{t('state.no_name')}</p> : null}
          <div className={classes.lists}>
            <Lists title={t('point.before')} name={says.name} lists={before} removed={removed} />
            <Lists title={t('point.after')} name={says.name} lists={after} added={server} />
          </div>
          {after.local.length > MAX_SERVERS ? (
            <p role="alert">{t('point.full', { number: before.local.length })}</p>
          ) : null}
          {joins ? <p className={classes.plain}>{t('point.joins')}</p> : null}
          {state === null || says.name === null ? null : <p role="alert">{t(`state.${state}`)}</p>}
          <CallFailure error={point.error} />
          <DialogFooter leave={t('app:common.close')} onLeave={() => setOpen(false)}>
            <Button size="xs" loading={point.isPending} disabled={says.name === null} onClick={confirm}>
              {t(state === 'not_taken' ? 'point.again' : 'point.confirm')}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </>
  );
}

interface ListsProps {
  readonly title: string;
  /** null if the name can't be read. */
  readonly name: string | null;
  readonly lists: ServerLists;
  readonly added?: string;
  readonly removed?: readonly ServerEntry[];
}

/** The name and both lists of servers, as they are on the device's page. */
function Lists({ title, name: deviceName, lists, added, removed = [] }: ListsProps) {
  const { t } = useTranslation('join');
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <h4>{t('point.name')}</h4>
      <p>{deviceName === null ? '–' : displayText(deviceName) || t('point.none')}</p>
      {(['local', 'external'] as const).map((kind) => (
        <div key={kind}>
          <h4>{t(`point.${kind}`)}</h4>
          {lists[kind].length === 0 ? <p className={classes.note}>{t('point.none')}</p> : null}
          <ul>
            {lists[kind].map((entry, index) => {
              const isRemoved = kind === 'local' && removed.includes(entry);
              return (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same.
                  key={index}
                  data-added={(kind === 'local' && entry.url === added) || undefined}
                  data-removed={isRemoved || undefined}
                >
                  {displayText(entry.name)} <code>{displayText(entry.url, 200)}</code>
                  {isRemoved ? <span className={classes.note}> {t('point.removed')}</span> : null}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** The progress of a device that was sent the gate's address. */
function PointedSteps({ id, isTold }: { id: string; isTold: boolean }) {
  const { t } = useTranslation('join');
  const device = useOverview().data?.devices.find(
    (each) => each.id === id && each.stores.some(({ store }) => store === 'private'),
  );
  const { gate, pending = [] } = useGate().data ?? {};
  const isRegistered = device !== undefined || pending.some((each) => each.id === id);
  const steps = [
    { text: t('point.told'), isDone: isTold || isRegistered },
    { text: t('point.registered'), isDone: isRegistered },
    { text: t('point.reading'), isDone: device !== undefined && device.lastReceivedAt !== null },
  ];
  return (
    <div className={classes.pointed} role="status">
      <ol>
        {steps.map(({ text, isDone }) => (
          <li key={text} data-done={isDone || undefined}>
            <Icon name={isDone ? 'check' : 'clock'} size={14} /> {text}
            {isDone ? <span className="visually-hidden"> ({t('step.done')})</span> : null}
          </li>
        ))}
      </ol>
      {isTold ? null : <p>{t('point.unconfirmed')}</p>}
      {steps.every(({ isDone }) => isDone) || gate === undefined || gate.state === 'off' ? null : (
        <p className={classes.note}>{t('point.check', { port: gate.port })}</p>
      )}
    </div>
  );
}
