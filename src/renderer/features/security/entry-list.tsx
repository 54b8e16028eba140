import { useTranslation } from 'react-i18next';
import { auditSentence } from '../../../shared/audit-sentence.ts';
import type { AuditEntry } from '../../../shared/owner-api/audit.ts';
import { AUDIT_GROUPS, type AuditGroup } from '../../../shared/owner-api/audit-kinds.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import classes from './security.module.css';

const ICONS: Readonly<Record<AuditGroup, IconName>> = {
  access: 'phone',
  listeners: 'globe',
  devices: 'device',
  settings: 'settings',
  keys: 'key',
  data: 'database',
  node: 'monitor',
};
const GROUPS = Object.keys(AUDIT_GROUPS) as AuditGroup[];
/** The facts that an owner should check. */
const WARNINGS: ReadonlySet<string> = new Set(['log_broken', 'log_gap', 'wrong_codes', 'node_restarted']);

/** Lists entries of the audit log, each as a sentence. */
export function EntryList({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation('audit');
  const { data } = useOverview();
  const names = new Map([...(data?.devices ?? []), ...(data?.hidden ?? [])].map((each) => [each.id, nameOf(each)]));
  return (
    <ul className={classes.list} aria-label={t('list')}>
      {entries.map((entry) => (
        <Entry key={entry.n} entry={entry} nameOf={(id) => names.get(id)} />
      ))}
    </ul>
  );
}

function Entry({ entry, nameOf: name }: { entry: AuditEntry; nameOf: (id: string) => string | undefined }) {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const { at, who, from, kind } = entry;
  const group = GROUPS.find((each) => AUDIT_GROUPS[each].some((one) => one === kind));
  return (
    <li className={classes.row}>
      <span className={classes.sign} data-warning={WARNINGS.has(kind) || undefined}>
        <Icon name={WARNINGS.has(kind) ? 'alert' : ICONS[group ?? 'node']} size={18} />
      </span>
      <div className={classes.words}>
        <span className={classes.title}>
          <bdi>{auditSentence(entry, t, name)}</bdi>
        </span>
        <span className={classes.detail}>
          {who.name === null ? t(`who.${who.by}`) : <bdi>{who.name}</bdi>}
          {from === null ? null : ` · ${t('from', { address: from })}`}
        </span>
      </div>
      <time className={classes.time} dateTime={new Date(at).toISOString()}>
        {format.dateTime(at)}
      </time>
    </li>
  );
}
