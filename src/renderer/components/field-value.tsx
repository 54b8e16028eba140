import type { FieldName } from '../../shared/protocol/fields.ts';
import { useFormat } from '../format.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { shownDigits } from '../shown-digits.ts';
import type { ShownValue } from '../values.ts';
import classes from './field-value.module.css';
import { Icon } from './icon.tsx';

/**
 * A field's value with its unit, and an open lock where it came sealed; a lock and the key version where it still is, in
 * words why where it does not open, a dash where there is none. An opened value is rounded, for a sealed float32 has more digits than its sensor; the title has all.
 */
export function FieldValue({ field, value, unit }: { field: FieldName; value: ShownValue; unit: string }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  switch (value.kind) {
    case 'plain':
    case 'opened': {
      const exact = format.number(value.value);
      const number = value.kind === 'opened' ? format.rounded(value.value, shownDigits(field, value.value)) : exact;
      const text = unit === '' ? exact : `${exact} ${unit}`;
      const opened = value.kind === 'opened' ? t('value.opened', { version: value.keyVersion }) : null;
      return (
        <span className={classes.value} title={opened === null ? text : `${text} · ${opened}`}>
          <span className={classes.number}>{number}</span>
          {unit === '' ? null : <span className={classes.unit}>{unit}</span>}
          {opened === null ? null : (
            <span className={classes.opened}>
              <Icon name="unlock" size={11} label={opened} />
            </span>
          )}
        </span>
      );
    }
    case 'failed': {
      const version = value.keyVersion;
      const why = t(`value.failed.${value.reason}`, { version });
      return (
        <span className={classes.failed} title={why}>
          <Icon name="lock-alert" size={14} label={why} />
          <span className={classes.why} aria-hidden="true">
            {t(`value.failedShort.${value.reason}`, { version })}
          </span>
        </span>
      );
    }
    case 'sealed':
      return (
        <span className={classes.sealed} title={t('value.sealed', { version: value.keyVersion })}>
          <Icon name="lock" size={14} label={t('value.sealed', { version: value.keyVersion })} />
          <span aria-hidden="true">{t('value.keyVersion', { version: value.keyVersion })}</span>
        </span>
      );
    case 'absent':
      return (
        <span className={classes.absent}>
          <span aria-hidden="true">–</span>
          <span className="visually-hidden">{t('value.absent')}</span>
        </span>
      );
  }
}
