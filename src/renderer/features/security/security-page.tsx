import i18next from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecurityView } from '../../../shared/owner-api/security.ts';
import { useSecurity } from '../../api/queries/audit.ts';
import { Card } from '../../components/layout/card.tsx';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import { EntryList } from './entry-list.tsx';
import classes from './security.module.css';
import { Warnings } from './warnings.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['security', 'audit']);

/** The page on which each listener is configured. */
const CHANGED_AT = {
  local: { page: 'settings' },
  public: { page: 'settings' },
  gate: { page: 'connect', from: 'network' },
  door: { page: 'people' },
  metrics: { page: 'connections' },
} as const;

/** Shows who can reach this node: the listeners, the people with access, and the refused attempts. */
export default function SecurityPage() {
  const { t } = useTranslation('security');
  useTitle(t('title'));
  const { data: view, error, refetch } = useSecurity();
  if (view === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <LeadPage title={t('title')} lead={t('lead')}>
      <Warnings view={view} />
      <ListenersCard view={view} />
      <PeopleCard view={view} />
      <RefusedCard view={view} />
      <KeysCard view={view} />
      <Card
        isFlush
        title={t('newest')}
        action={
          <a className={classes.headLink} href={linkTo({ page: 'audit' })}>
            {t('allActions')}
          </a>
        }
      >
        <EntryList entries={view.newest} />
      </Card>
    </LeadPage>
  );
}

function Row({ title, detail, action }: { title: ReactNode; detail: ReactNode; action?: ReactNode }) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.title}>{title}</span>
        <span className={classes.detail}>{detail}</span>
      </div>
      {action}
    </li>
  );
}

function ListenersCard({ view }: { view: SecurityView }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  return (
    <Card isFlush title={t('listeners.title')}>
      <ul className={classes.list} aria-label={t('listeners.title')}>
        {view.listeners.map(({ name, state, address, since }) => (
          <Row
            key={name}
            title={
              <>
                <span className={classes.dot} data-state={state} aria-hidden="true" />
                {t(`listener.${name}`)}
              </>
            }
            detail={
              <>
                {t(`state.${state}`, { address: address ?? '' })}
                {state === 'off' ? null : ` · ${t('since', { time: format.dateTime(since) })}`}
                {name === 'gate' && view.isJoiningOpen ? ` · ${t('joiningOpen')}` : null}
                {name === 'door' && view.isCodeOpen ? ` · ${t('codeOpen')}` : null}
                {` · ${t(`reach.${name}`)}`}
              </>
            }
            action={
              <a href={linkTo(CHANGED_AT[name])} aria-label={t('changeOf', { name: t(`listener.${name}`) })}>
                {t('change')}
              </a>
            }
          />
        ))}
      </ul>
    </Card>
  );
}

function PeopleCard({ view }: { view: SecurityView }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  const people = (
    <a className={classes.headLink} href={linkTo({ page: 'people' })}>
      {t('people.manage')}
    </a>
  );
  return (
    <Card isFlush title={t('people.title')} action={people}>
      <ul className={classes.list} aria-label={t('people.title')}>
        {view.pairings.map(({ id, name, role, kind, lastUsedAt, lastAddress }) => (
          <Row
            key={id}
            title={<bdi>{name}</bdi>}
            detail={
              <>
                {t(`role.${role}`)} · {t(`kind.${kind}`)} ·{' '}
                {lastUsedAt === null
                  ? t('people.never')
                  : t('people.last', { time: format.dateTime(lastUsedAt), address: lastAddress ?? '' })}
              </>
            }
          />
        ))}
        {view.pairings.length === 0 ? <Row title={t('people.none')} detail={t('people.noneText')} /> : null}
        {view.doorKeys === 0 ? null : (
          <Row title={t('people.keys', { count: view.doorKeys })} detail={t('people.keysText')} />
        )}
        {view.linkMadeAt === null ? null : (
          <Row title={t('people.link', { time: format.dateTime(view.linkMadeAt) })} detail={t('people.linkText')} />
        )}
      </ul>
    </Card>
  );
}

function RefusedCard({ view }: { view: SecurityView }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  return (
    <Card isFlush title={t('refused.title')}>
      <ul className={classes.list} aria-label={t('refused.title')}>
        {view.refused.map(({ cause, listener, count, lastAt }) => (
          <Row
            key={`${listener} ${cause}`}
            title={t(`cause.${cause}`)}
            detail={
              <>
                {listener === null ? null : `${t(`listener.${listener}`)} · `}
                {t('refused.last', { time: format.dateTime(lastAt) })}
              </>
            }
            action={<span className={classes.count}>{format.integer(count)}</span>}
          />
        ))}
        {view.overBudget === 0 ? null : (
          <Row
            title={t('refused.overBudget', { count: view.overBudget })}
            detail={t('refused.overBudgetText')}
            action={<a href={linkTo({ page: 'connect', from: 'network' })}>{t('refused.which')}</a>}
          />
        )}
        {view.refused.length + view.overBudget === 0 ? (
          <Row title={t('refused.none')} detail={t('refused.noneText')} />
        ) : null}
      </ul>
    </Card>
  );
}

function KeysCard({ view }: { view: SecurityView }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  const { hasReadToken, keysChangedAt } = view;
  return (
    <Card isFlush title={t('keys.title')}>
      <ul className={classes.list} aria-label={t('keys.title')}>
        <Row
          title={t(hasReadToken ? 'keys.tokenOn' : 'keys.tokenOff')}
          detail={t(hasReadToken ? 'keys.tokenOnText' : 'keys.tokenOffText')}
        />
        <Row
          title={keysChangedAt === null ? t('keys.none') : t('keys.changed', { time: format.dateTime(keysChangedAt) })}
          detail={t('keys.text')}
          action={<a href={linkTo({ page: 'keys' })}>{t('keys.open')}</a>}
        />
      </ul>
    </Card>
  );
}
