import { Progress, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeInfo } from '../../../shared/owner-api/node.ts';
import type { Overview } from '../../../shared/owner-api/overview.ts';
import type { Storage } from '../../../shared/owner-api/storage.ts';
import type { English } from '../../../shared/texts/english.ts';
import { useOtherNodes } from '../../api/queries/nodes.ts';
import { useNodeInfo, useOverview, useStorage } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import classes from './node-page.module.css';

/** The causes with a text. A node of another version may report other causes, which are shown by their codes. */
type Cause = keyof English['app']['cause'];

/**
 * Shows the state of the node itself: its stores, its disk, the readings it accepted and refused, and its addresses.
 */
export default function NodePage() {
  const { t } = useTranslation('app');
  useTitle(t('node.title'));
  const overview = useOverview();
  const storage = useStorage();
  if (overview.data === undefined) {
    return overview.error === null ? (
      <PageLoading />
    ) : (
      <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
    );
  }
  const { totals } = overview.data;
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('node.title')}
      </Title>
      <div className={classes.cards}>
        {storage.data === undefined ? null : <Stores storage={storage.data} sizes={totals.stores} />}
        <Today totals={totals} />
        <About />
        <OtherNodes />
      </div>
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Stores({ storage, sizes }: { storage: Storage; sizes: Overview['totals']['stores'] }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { room } = storage;
  const refusing = storage.stores.flatMap((each) => (each.refusing === null ? [] : [{ ...each, ...each.refusing }]));
  return (
    <Card title={t('node.storage')}>
      {refusing.map(({ store, since, cause, message }) => (
        <div key={store} className={classes.bad}>
          <Icon name="alert" size={18} />
          <div>
            <strong>{t(`storage.refuses.${store}`, { time: format.dateTime(since) })}</strong>{' '}
            {t(`storage.cause.${cause}`)} {t('storage.meanwhile')}
            <p>{t(`storage.fix.${cause}`)}</p>
            <code>{message}</code>
          </div>
        </div>
      ))}
      <dl className={classes.facts}>
        {sizes.map(({ store, bytes }) => (
          <div key={store}>
            <dt>{t(`node.storeSize.${store}`)}</dt>
            <dd>{format.bytes(bytes)}</dd>
          </div>
        ))}
        {room === null ? null : (
          <div>
            <dt>{t('node.room')}</dt>
            <dd data-low={room.isLow || undefined}>
              {t('node.roomOf', { free: format.bytes(room.freeBytes), total: format.bytes(room.totalBytes) })}
            </dd>
          </div>
        )}
      </dl>
      {room === null || room.totalBytes === 0 ? null : (
        <>
          <Progress
            value={(1 - room.freeBytes / room.totalBytes) * 100}
            color={room.isLow ? 'red' : 'water'}
            aria-label={t('node.used')}
          />
          <p className={classes.used}>
            {t('node.usedPart', { part: format.rounded((1 - room.freeBytes / room.totalBytes) * 100, 0) })}
          </p>
        </>
      )}
      {room?.isLow ? <p className={classes.low}>{t('node.low')}</p> : null}
      <a className={classes.link} href={linkTo({ page: 'space' })}>
        {t('node.space')}
      </a>
      <a className={classes.link} href={linkTo({ page: 'export' })}>
        {t('node.export')}
      </a>
    </Card>
  );
}

function Today({ totals }: Pick<Overview, 'totals'>) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { readingsToday, rejectedToday } = totals;
  const rejected = rejectedToday.reduce((total, { count }) => total + count, 0);
  return (
    <Card title={t('node.today')}>
      <dl className={classes.facts}>
        <div>
          <dt>{t('overview.readingsToday')}</dt>
          <dd>{format.integer(readingsToday)}</dd>
        </div>
        <div>
          <dt>{t('node.rejectedToday')}</dt>
          <dd>{format.integer(rejected)}</dd>
        </div>
      </dl>
      {rejectedToday.length === 0 ? null : (
        <ul className={classes.causes}>
          {rejectedToday.map(({ store, cause, count }) => (
            <li key={`${store} ${cause}`}>
              <strong>{format.integer(count)}</strong> {t(`cause.${cause as Cause}`, { defaultValue: cause })}
              <span className={classes.note}> · {t(`endpoint.${store}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function About() {
  const { t } = useTranslation('app');
  const { data: node } = useNodeInfo();
  if (node === undefined) return null;
  return (
    <Card title={t('node.about')}>
      <dl className={classes.facts}>
        <div>
          <dt>{t('node.version')}</dt>
          <dd>{node.version}</dd>
        </div>
        <div>
          <dt>{t('node.local')}</dt>
          <dd>{node.localUrl}</dd>
        </div>
        <div>
          <dt>{t('node.public')}</dt>
          <dd>{node.publicUrl ?? t('node.off')}</dd>
        </div>
        <ClockFact clock={node.clock} />
        <div>
          <dt>{t('node.folder')}</dt>
          <dd>{node.dataDir}</dd>
        </div>
      </dl>
      <a className={classes.link} href={linkTo({ page: 'security' })}>
        {t('security.link')}
      </a>
      <a className={classes.link} href={linkTo({ page: 'settings' })}>
        {t('shell.settings')}
      </a>
    </Card>
  );
}

function ClockFact({ clock }: { clock: NodeInfo['clock'] }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { state, aheadMs, lastStep } = clock;
  const shown = state === 'unset' && aheadMs <= 0 ? 'never' : state;
  return (
    <div>
      <dt>{t('node.clock.label')}</dt>
      <dd data-low={state === 'unset' || undefined}>
        {t(`node.clock.${shown}`, { span: format.duration(aheadMs) })}
        {lastStep === null ? null : (
          <div className={classes.note}>
            {t(lastStep.by > 0 ? 'node.clock.setForward' : 'node.clock.setBack', {
              span: format.duration(Math.abs(lastStep.by)),
            })}
            {' · '}
            {format.dateTime(lastStep.at)}
          </div>
        )}
      </dd>
    </div>
  );
}

/** Links to the page of the other nodes, which are shown together with this one. */
function OtherNodes() {
  const { t } = useTranslation('app');
  const { data } = useOtherNodes();
  if (data === undefined) return null;
  return (
    <Card title={t('nodes.title')}>
      <p>{data.length === 0 ? t('nodes.none') : t('nodes.count', { count: data.length })}</p>
      <a href={linkTo({ page: 'nodes' })}>{t(data.length === 0 ? 'nodes.add' : 'nodes.toList')}</a>
    </Card>
  );
}
