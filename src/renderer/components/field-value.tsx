import { useTranslation } from 'react-i18next';
import { useFormat } from '../format.ts';
import type { ShownValue } from '../values.ts';
import classes from './field-value.module.css';
import { Icon } from './icon.tsx';

/** A field's value with its unit; a lock and the key version where it is sealed, a dash where there is none. */
export function FieldValue({ value, unit }: { value: ShownValue; unit: string }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  switch (value.kind) {
    case 'plain': {
      const number = format.number(value.value);
      const text = unit === '' ? number : `${number} ${unit}`;
      return (
        <span className={classes.value} title={text}>
          {number}
          {unit === '' ? null : <span className={classes.unit}>{unit}</span>}
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
