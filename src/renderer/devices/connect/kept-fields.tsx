import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { Disposition } from '../../../shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import classes from './connect.module.css';

/** The owner's choice of how each field is kept. A field without an entry is kept as the device asks. */
export type Kept = Input<'adoptDevice'>['dispositions'];

/** The choice of what the node keeps of a device's readings. */
export function KeptFields({ kept, onChange }: { kept: Kept; onChange: (kept: Kept) => void }) {
  const { t } = useTranslation('app');
  const count = Object.keys(kept).length;
  const choices = [
    { value: '', label: t('gate.keep.asItComes') },
    { value: String(Disposition.ENCRYPTED), label: t('gate.keep.sealed') },
    { value: String(Disposition.OMIT), label: t('gate.keep.none') },
  ];
  return (
    <details className={classes.kept}>
      <summary>
        {t('gate.kept')}{' '}
        <span className={classes.note}>{count === 0 ? t('gate.keptAll') : t('gate.keptFew', { count })}</span>
      </summary>
      <ul>
        {FIELD_NAMES.map((name) => (
          <li key={name}>
            <span>{t(`field.${name}`)}</span>
            <NativeSelect
              size="xs"
              aria-label={t('gate.keptOf', { field: t(`field.${name}`) })}
              value={String(kept[name] ?? '')}
              data={choices}
              onChange={({ currentTarget: { value } }) => {
                const { [name]: _, ...others } = kept;
                const chosen = Object.values(Disposition).find((each) => String(each) === value);
                onChange(chosen === undefined ? others : { ...others, [name]: chosen });
              }}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
