import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../../shared/alerts/alert.ts';
import { wholeMinutes } from '../../../../shared/format/spans.ts';
import type { Overview } from '../../../../shared/owner-api/overview.ts';
import type { Task } from '../../../../shared/owner-data/tasks.ts';
import { SeveritySign } from '../../../alerts/list/severity-sign.tsx';
import { useAlertWords } from '../../../alerts/list/use-alert-words.ts';
import { errorCode } from '../../../api/errors.ts';
import { useMe } from '../../../api/me.tsx';
import { useNode } from '../../../api/node-connection.ts';
import { useAlertCall, useAlerts } from '../../../api/queries/alerts.ts';
import { useStorage } from '../../../api/queries/overview.ts';
import { useTasks } from '../../../api/queries/tasks.ts';
import { useSmallScreen } from '../../../components/browser/small-screen.ts';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { useToday } from '../../../crops/use-days.ts';
import { useNotDismissed } from '../../../devices/knocking/dismissed-knocks.ts';
import { KnockingOurs } from '../../../devices/knocking/knocking.tsx';
import { nameOf } from '../../../devices/names.ts';
import { setPreferences } from '../../../devices/selection/preferences.ts';
import { useFormat } from '../../../format/format.ts';
import { useHasOnlyKeys } from '../../../keys/session/exported.ts';
import { useFromNow, useNow } from '../../../now.ts';
import { linkTo } from '../../../router/router.ts';
import classes from './needs.module.css';
import { type Need, needsNow } from './needs.ts';

const TaskLine = lazy(() => import('../../../crops/task-line.tsx'));

/** The number of problems shown at first on a small screen, the worst first. */
const FIRST_SHOWN = 2;
const NO_ALERTS: readonly Alert[] = [];

/** Lists the problems below the sentence, the worst first, each with one action. */
export function NeedsSection({ overview }: { overview: Overview }) {
  const { t } = useTranslation('app');
  const node = useNode();
  const { data: storage } = useStorage();
  const knocks = useNotDismissed(overview.unregistered);
  const { mayUnlock } = useMe();
  const hasOnlyKeys = useHasOnlyKeys() && mayUnlock;
  const now = useNow(2000);
  const alerts = useAlerts().data ?? NO_ALERTS;
  const tasks = useTasks();
  const today = useToday();
  const needs = useMemo(() => {
    const knocking = knocks.filter(({ isOurs }) => isOurs).map(({ id }) => id);
    return needsNow({ overview, storage, knocking, hasOnlyKeys, alerts, tasks, today, now: node.lastKnown(now) });
  }, [overview, storage, knocks, hasOnlyKeys, alerts, tasks, today, node, now]);
  const isSmall = useSmallScreen();
  const [isWhole, setWhole] = useState(false);
  if (needs.length === 0) return null;
  // On a phone, the devices below must be visible.
  const shown = isSmall && !isWhole ? needs.slice(0, FIRST_SHOWN) : needs;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs" className="visually-hidden">
        {t('needs.title')}
      </h2>
      <ul className={classes.list}>
        {shown.map((need) => (
          <li key={keyOf(need)} data-kind={need.kind}>
            {need.kind === 'knocking' ? (
              <KnockingOurs unregistered={overview.unregistered} only={need.ids} />
            ) : need.kind === 'task' ? (
              <Suspense fallback={null}>
                <TaskLine task={need.task} place={placeOf(need.task, overview)} />
              </Suspense>
            ) : (
              <One need={need} />
            )}
          </li>
        ))}
      </ul>
      {isSmall && needs.length > FIRST_SHOWN ? (
        <Button variant="subtle" size="compact-sm" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('common.less') : t('common.more', { count: needs.length - FIRST_SHOWN })}
        </Button>
      ) : null}
    </section>
  );
}

function placeOf({ device }: Task, { devices }: Overview): string | undefined {
  const found = devices.find(({ id }) => id === device);
  return found && nameOf(found);
}

function keyOf(need: Need): string {
  if (need.kind === 'alert') return need.alert.id;
  if (need.kind === 'task') return need.task.id;
  if (need.kind === 'drift') return `drift ${need.device.id} ${need.field}`;
  if ('device' in need) return `${need.kind} ${need.device.id}`;
  return need.kind === 'store' ? `store ${need.store}` : need.kind;
}

function Line({ icon, children, action }: { icon: IconName; children: ReactNode; action: ReactNode }) {
  return (
    <div className={classes.line}>
      <Icon name={icon} size={18} />
      <span className={classes.text}>{children}</span>
      {action}
    </div>
  );
}

function One({ need }: { need: Exclude<Need, { kind: 'knocking' | 'task' }> }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const link = (href: string, text: string, name?: string) => (
    <a className={classes.action} href={href} aria-label={name}>
      {text}
    </a>
  );
  switch (need.kind) {
    case 'store':
      return (
        <Line icon="alert" action={link(linkTo({ page: 'node' }), t('storage.toNode'))}>
          {t(`storage.refuses.${need.store}`, { time: format.shortDateTime(need.since) })}
        </Line>
      );
    case 'silent':
      return <Silent device={need.device} />;
    case 'manySilent':
      return (
        <Line
          icon="alert"
          action={
            <button type="button" className={classes.action} onClick={() => setPreferences({ status: 'silent' })}>
              {t('needs.show')}
            </button>
          }
        >
          {t('needs.manySilent', { count: need.count })}
        </Line>
      );
    case 'room':
      return (
        <Line icon="database" action={link(linkTo({ page: 'node' }), t('storage.toNode'))}>
          {t('needs.room', { size: format.bytes(need.freeBytes) })}
        </Line>
      );
    case 'alert':
      return <Firing alert={need.alert} />;
    case 'manyAlerts':
      return (
        <Line icon="bell" action={link(linkTo({ page: 'alerts', id: null }), t('needs.show'))}>
          {t('needs.manyAlerts', { count: need.count })}
        </Line>
      );
    case 'clock':
      return (
        <Line
          icon="clock"
          action={link(
            linkTo({ page: 'device', id: need.device.id }),
            t('needs.open'),
            t('needs.openOf', { name: nameOf(need.device) }),
          )}
        >
          {t('needs.clock', { name: nameOf(need.device) })}
        </Line>
      );
    case 'drift':
      return (
        <Line
          icon="alert"
          action={link(
            linkTo({ page: 'device', id: need.device.id }),
            t('needs.open'),
            t('needs.openOf', { name: nameOf(need.device) }),
          )}
        >
          {t('needs.drift', { name: nameOf(need.device), field: t(`field.${need.field}`) })}
        </Line>
      );
    case 'manyClocks':
      return (
        <Line icon="clock" action={null}>
          {t('needs.manyClocks', { count: need.count })}
        </Line>
      );
    case 'manyTasks':
      return (
        <Line icon="clock" action={link(linkTo({ page: 'crops' }), t('needs.show'))}>
          {t('needs.manyTasks', { count: need.count })}
        </Line>
      );
    case 'keys':
      return (
        <Line icon="key" action={link(linkTo({ page: 'keys' }), t('needs.export'))}>
          {t('needs.keys')}
        </Line>
      );
  }
}

/** Shows an alert. Its text links to the alert. */
function Firing({ alert }: { alert: Alert }) {
  const { t } = useTranslation('app');
  const words = useAlertWords();
  const format = useFormat();
  const acknowledge = useAlertCall('acknowledgeAlert');
  const lasted = useFromNow(1000, (now) => format.duration(wholeMinutes(now - alert.since)));
  return (
    <div className={classes.line} data-severity={alert.severity}>
      <SeveritySign severity={alert.severity} />
      <span className={classes.text}>
        <a className={classes.link} href={linkTo({ page: 'alerts', id: alert.id })}>
          {words.title(alert)}
        </a>
        <span className={classes.detail}>
          {alert.kind === 'range' && alert.value !== null
            ? t('needs.now', { value: words.value(alert, alert.value), span: lasted })
            : t('needs.for', { span: lasted })}{' '}
          {words.toDo(alert)}
        </span>
        {acknowledge.isError ? (
          <span role="alert" className={classes.failed}>
            {t(`error.${errorCode(acknowledge.error)}.title`)}
          </span>
        ) : null}
      </span>
      <button
        type="button"
        className={classes.action}
        disabled={acknowledge.isPending}
        aria-label={t('needs.acknowledgeOf', { title: words.title(alert) })}
        onClick={() => acknowledge.mutate({ id: alert.id })}
      >
        {t('needs.acknowledge')}
      </button>
    </div>
  );
}

function Silent({ device }: Pick<Extract<Need, { kind: 'silent' }>, 'device'>) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const span = useFromNow(1000, (now) => wholeMinutes(now - (device.lastReceivedAt ?? now)));
  return (
    <Line
      icon="alert"
      action={
        <a
          className={classes.action}
          href={linkTo({ page: 'device', id: device.id })}
          aria-label={t('needs.openOf', { name: nameOf(device) })}
        >
          {t('needs.open')}
        </a>
      }
    >
      <span className={classes.what}>{t('needs.silent', { name: nameOf(device), span: format.duration(span) })}</span>
      {device.usualIntervalMs === null ? null : (
        <span className={classes.detail}>{t('needs.usual', { span: format.duration(device.usualIntervalMs) })}</span>
      )}
    </Line>
  );
}
