import { Button, NativeSelect } from '@mantine/core';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  AUDIT_ACTORS,
  AUDIT_GROUPS,
  type AuditActorKind,
  type AuditGroup,
} from '../../../shared/owner-api/audit-kinds.ts';
import { useAuditLog } from '../../api/queries/audit.ts';
import { Icon } from '../../components/icon.tsx';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { EmptyState, ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { EntryList } from './entry-list.tsx';
import classes from './security.module.css';
import { Warning } from './warning.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['audit']);

const GROUPS = Object.keys(AUDIT_GROUPS) as AuditGroup[];

/** Lists who did what to the node, when and from where. */
export default function AuditPage() {
  const { t } = useTranslation('audit');
  useTitle(t('title'));
  const [about, setAbout] = useState<AuditGroup | ''>('');
  const [by, setBy] = useState<AuditActorKind | ''>('');
  const log = useAuditLog(about === '' ? null : AUDIT_GROUPS[about], by === '' ? null : by);
  const pages = log.data?.pages;
  const entries = pages?.flatMap((each) => each.entries) ?? [];
  return (
    <LeadPage title={t('title')} lead={t('lead')}>
      {pages?.[0]?.isWhole === false ? <Warning title={t('broken')}>{t('brokenText')}</Warning> : null}
      <div className={classes.filters}>
        <NativeSelect
          label={t('filter.what')}
          value={about}
          onChange={({ currentTarget }) => setAbout(currentTarget.value as AuditGroup | '')}
          data={[
            { value: '', label: t('filter.all') },
            ...GROUPS.map((value) => ({ value, label: t(`group.${value}`) })),
          ]}
        />
        <NativeSelect
          label={t('filter.who')}
          value={by}
          onChange={({ currentTarget }) => setBy(currentTarget.value as AuditActorKind | '')}
          data={[
            { value: '', label: t('filter.anybody') },
            ...AUDIT_ACTORS.map((value) => ({ value, label: t(`who.${value}`) })),
          ]}
        />
        {pages?.[0]?.isWhole ? (
          <p className={classes.whole}>
            <Icon name="check" size={16} /> {t('whole')}
          </p>
        ) : null}
      </div>
      {pages === undefined ? (
        log.error === null ? (
          <PageLoading />
        ) : (
          <ErrorState error={log.error} onRetry={() => void log.refetch()} />
        )
      ) : entries.length === 0 ? (
        <EmptyState icon="list" title={t('none')}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <div className={classes.card}>
          <EntryList entries={entries} />
        </div>
      )}
      {log.hasNextPage ? (
        <Button
          className={classes.more ?? ''}
          variant="default"
          size="xs"
          loading={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          {t('more')}
        </Button>
      ) : null}
    </LeadPage>
  );
}
