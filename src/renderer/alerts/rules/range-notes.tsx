import { useTranslation } from 'react-i18next';
import { type AnyField, sourcesOf } from '../../../shared/measures/derived.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { Icon } from '../../components/icon.tsx';
import { nameOf } from '../../devices/names.ts';
import { UnlockButton } from '../../opening/unlock-button.tsx';
import classes from './range-notes.module.css';

interface Props {
  readonly devices: readonly DeviceSummary[];
  readonly field: AnyField;
}

/** Returns the names of up to five devices, and the number of the others. */
function useNames(devices: readonly DeviceSummary[]): string {
  const { t } = useTranslation('alerting');
  const named = devices.slice(0, 5).map(nameOf).join(', ');
  return devices.length > 5 ? t('andMore', { names: named, count: devices.length - 5 }) : named;
}

/**
 * Lists a rule's devices that send a unit that can't be converted. The rule applies its limits to their raw numbers.
 */
export function OtherUnits({ devices, field, isOfOneDevice }: Props & { readonly isOfOneDevice: boolean }) {
  const { t } = useTranslation('alerting');
  const others = devices.filter(({ notes }) =>
    sourcesOf(field).some((source) => 'label' in (notes.units[source] ?? {})),
  );
  const names = useNames(others);
  if (isOfOneDevice || others.length === 0) return null;
  return (
    <div className={classes.note} role="note">
      <Icon name="info" size={14} />
      <span>{t('rule.otherUnits', { names })}</span>
    </div>
  );
}

/** Lists the devices whose values are sealed, so the node can't evaluate the rule. Offers to unlock the keys. */
export function SealedHere({ devices, field, known }: Props & { readonly known: readonly string[] }) {
  const { t } = useTranslation('alerting');
  const sealed = devices.filter(({ id, newest }) => {
    const values = sourcesOf(field).map((source) => newest[source]?.value);
    return known.includes(id) || values.some((value) => typeof value === 'object' && value !== null);
  });
  const names = useNames(sealed);
  if (sealed.length === 0) return null;
  return (
    <div className={classes.note} role="note" data-sealed>
      <Icon name="lock" size={14} />
      <span>{t('rule.sealed', { names })}</span>
      <UnlockButton />
    </div>
  );
}
