import { Button, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import { Icon } from '../components/icon.tsx';
import table from '../components/layout/table.module.css';
import { useFormat } from '../format/format.ts';
import { ownerOf } from '../keys/session/opening.ts';
import type { FieldKeyView, KeyDevice, KeysView, ResolvedKeyView } from '../keys/types.ts';
import classes from './keyring.module.css';
import { useSecretName } from './owner-match.tsx';
import type { VersionCount } from './version-counts.ts';

/** One key version: the keys that open it, the stored entry, and the counts of its readings. */
export interface VersionRow {
  readonly keyVersion: number;
  readonly keys: readonly ResolvedKeyView[];
  readonly entry: FieldKeyView | undefined;
  readonly count: VersionCount | undefined;
}

interface Props {
  readonly device: KeyDevice;
  readonly view: KeysView;
  readonly rows: readonly VersionRow[];
  readonly onGive: (keyVersion: number) => void;
  readonly onImport: (keyVersion: number) => void;
  readonly onRemove: (keyVersion: number) => void;
}

/** The key versions of a device, the newest first. */
export function VersionTable({ device, view, rows, onGive, onImport, onRemove }: Props) {
  const { t } = useTranslation('keyring');
  return (
    <div className={classes.scroller}>
      <table className={`${table.table} ${classes.table}`}>
        <caption className="visually-hidden">{t('table.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('table.version')}</th>
            <th scope="col">{t('table.key')}</th>
            <th scope="col">{t('table.readings')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('table.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.keyVersion}>
              <th scope="row">{row.keyVersion}</th>
              <td>
                <Keys device={device} view={view} row={row} />
              </td>
              <td>
                <Counts count={row.count} />
              </td>
              <td>
                <div className={classes.actions}>
                  {row.keys.length === 0 ? (
                    <Button variant="default" size="compact-xs" onClick={() => onImport(row.keyVersion)}>
                      {t('table.addKey')}
                    </Button>
                  ) : (
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={t('table.giveVersion', { version: row.keyVersion })}
                      onClick={() => onGive(row.keyVersion)}
                    >
                      {t('table.give')}
                    </Button>
                  )}
                  {row.entry === undefined ? null : (
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-xs"
                      aria-label={t('table.removeVersion', { version: row.keyVersion })}
                      onClick={() => onRemove(row.keyVersion)}
                    >
                      {t('table.remove')}
                    </Button>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Keys({ device, view, row }: Pick<Props, 'device' | 'view'> & { row: VersionRow }) {
  const { t } = useTranslation('keyring');
  const format = useFormat();
  const nameOf = useSecretName();
  const owner = ownerOf(view, device.ownerPubkey);
  if (row.keys.length === 0) return <span className={classes.missing}>{t('table.noKey')}</span>;
  return row.keys.map((key) => {
    // The stored key is first; the others are derived.
    const isKept = row.entry !== undefined && row.entry.fingerprint === key.fingerprint;
    const source =
      key.source === 'derived' && owner !== null
        ? t('source.derivedFrom', {
            name: nameOf(owner.secret),
            derivation: t(`owner.derivation.${owner.key.derivation}`),
          })
        : t(`source.${key.source}`);
    return (
      <div key={key.fingerprint} className={classes.key}>
        <Tooltip label={t('table.fingerprint')} openDelay={400}>
          <code className={classes.code}>{key.fingerprint}</code>
        </Tooltip>
        <span>{source}</span>
        {isKept ? (
          <span className={classes.quiet}>{t('source.since', { date: format.date(row.entry!.addedAt) })}</span>
        ) : null}
      </div>
    );
  });
}

function Counts({ count }: { count: VersionCount | undefined }) {
  const { t } = useTranslation('keyring');
  const format = useFormat();
  if (count === undefined) return <span className={classes.quiet}>{t('counts.none')}</span>;
  const { opened, failed, untried } = count;
  const reasons = (Object.entries(count.reasons) as [OpeningFault, number][])
    .map(([reason, each]) => `${t(`fault.${reason}`)} (${format.integer(each)})`)
    .join(', ');
  return (
    <span className={classes.counts}>
      {opened > 0 ? (
        <span className={classes.opened}>
          <Icon name="unlock" size={13} />
          {t('counts.opened', { count: opened, shown: format.integer(opened) })}
        </span>
      ) : null}
      {failed > 0 ? (
        <span className={classes.failed}>
          <Icon name="lock-alert" size={13} />
          {t('counts.failed', { count: failed, shown: format.integer(failed) })}
        </span>
      ) : null}
      {untried > 0 ? (
        <span className={classes.quiet}>{t('counts.untried', { count: untried, shown: format.integer(untried) })}</span>
      ) : null}
      {reasons === '' ? null : <span className={classes.reasons}>{t('counts.reasons', { reasons })}</span>}
    </span>
  );
}
