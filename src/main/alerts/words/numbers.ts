import type { Alert } from '../../../shared/alerts/alert.ts';
import type { Format } from '../../../shared/format/format.ts';
import { beyondTank, valueText, withMark, withUnit } from '../../../shared/format/scaled.ts';
import { type FieldLabel, fieldScale, type GeneralUnits } from '../../../shared/measures/field-scale.ts';
import type { MessageTexts } from '../../common/texts.ts';
import type { NoticeFacts, Numbers } from '../channels/notice.ts';

/** An alert's numbers in the unit that the owner sees, and their formatting. */
export interface ShownNumbers extends Numbers {
  /**
   * The side in the owner's unit. With a distance sensor a full tank is near, so a value above the range means too
   * little.
   */
  readonly side: Alert['side'];
  /** The name of the field with the owner's unit; null if the alert is not about a field. */
  readonly label: FieldLabel | null;
  /** Formats a number with its unit; '' if there is no number. */
  write(shown: number | null): string;
}

const GIGABYTE = 1e9;
const HOUR_MS = 3_600_000;

/** Returns the numbers of an alert in the owner's unit for the device's field, or else in the one for all devices. */
export function numbersOf(
  { alert, device }: NoticeFacts & { readonly alert: Alert },
  general: GeneralUnits,
  format: Format,
  t: MessageTexts,
): ShownNumbers {
  const { value, limit, extreme, field, kind, side } = alert;
  const scale = field === null ? null : fieldScale(field, device?.unit ?? undefined, general);
  const label = scale?.label ?? null;
  if (kind !== 'range' || scale === null) {
    const unit = UNITS[kind] ?? '';
    const write = (number: number | null) => (number === null ? '' : writeOther(format, kind, number));
    return { side, label, value, limit, extreme, unit, write };
  }
  const shown = (sent: number | null) => (sent === null ? null : scale.toShown(sent));
  const reversed = { low: 'high', high: 'low' } as const;
  return {
    label,
    side: scale.isReversed && side !== null ? reversed[side] : side,
    ...{ value: shown(value), limit: shown(limit), extreme: shown(extreme), unit: scale.symbol },
    write: (number) => {
      if (number === null) return '';
      const beyond = beyondTank(scale, number);
      const mark = beyond === null ? null : t(`app:value.${beyond}`);
      return withMark(withUnit(valueText(format, scale, number), scale.symbol), mark);
    },
  };
}

/** The units of the thresholds of built-in rules, in the words of the webhook. */
const UNITS: Readonly<Partial<Record<Alert['kind'], string>>> = {
  silent: 'minutes',
  fieldSilent: 'hours',
  emptySoon: 'days',
  leavesSoon: 'days',
  diskLow: 'gigabytes',
  rejected: 'blocks',
  backupOverdue: 'hours',
  batteryLow: 'percent',
  sensorFailed: 'sensors',
};

function writeOther(format: Format, kind: Alert['kind'], number: number): string {
  if (kind === 'emptySoon' || kind === 'leavesSoon') return format.duration(Math.round(number * 24) * HOUR_MS);
  return kind === 'diskLow' ? format.bytes(number * GIGABYTE) : format.integer(number);
}
