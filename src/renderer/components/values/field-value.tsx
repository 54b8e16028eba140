import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Format } from '../../../shared/format/format.ts';
import { glanceText, openedText, valueText, withUnit } from '../../../shared/format/scaled.ts';
import { isDerived } from '../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import { useFormat } from '../../format/format.ts';
import { markOf } from '../../format/shown-text.ts';
import type { OutOfRange, ShownValue } from '../../format/values.ts';
import { Icon } from '../icon.tsx';
import classes from './field-value.module.css';

interface Props {
  readonly value: ShownValue;
  readonly scale: FieldScale;
  /** Whether the unit is shown elsewhere, such as in the header of a column. */
  readonly hasNoUnit?: boolean;
  /** The number of decimals; by default that of the scale. */
  readonly decimals?: number | undefined;
  /** The side on which the number is out of range; null if it is in range. */
  readonly outside?: OutOfRange | null;
  /** Whether to round the number to the sensor's precision. The title has all digits. */
  readonly isRounded?: boolean;
}

/**
 * A field's value in its scale, with an open lock if it was sealed and could be opened. A sealed value is shown as a
 * lock, one that does not open as the reason, an absent one as a dash. The title has all digits and the number that was
 * sent. A value out of range has a sign and a colour.
 */
export function FieldValue(props: Props) {
  const { t } = useTranslation('app');
  return fieldValue(t, useFormat(), props);
}

/** Returns what `FieldValue` shows. A list calls it for each cell: a component with hooks takes longer to draw. */
export function fieldValue(t: TFunction<'app'>, format: Format, props: Props): ReactElement {
  const { value, scale, hasNoUnit = false, decimals = scale.decimals, outside = null, isRounded = false } = props;
  switch (value.kind) {
    case 'plain':
    case 'opened': {
      const shown = scale.toShown(value.value);
      const text = value.kind === 'opened' ? openedText : valueText;
      const number = isRounded ? glanceText(format, scale, shown) : text(format, scale, shown, decimals);
      const sent = withUnit(format.number(value.value), scale.sentSymbol);
      const uncorrected =
        value.sent === undefined
          ? null
          : t('value.uncorrected', { value: withUnit(text(format, scale, scale.toShown(value.sent)), scale.symbol) });
      const derived = isDerived(scale.field) ? withUnit(format.rounded(shown, decimals + 1), scale.symbol) : null;
      const whole =
        derived ?? (scale.digits === null ? sent : `${withUnit(format.number(shown), scale.symbol)} (${sent})`);
      const unit = hasNoUnit ? '' : scale.symbol;
      const mark = markOf(t, scale, shown);
      const opened = value.kind === 'opened' ? t('value.opened', { version: value.keyVersion }) : null;
      return (
        <span
          className={classes.value}
          data-column={hasNoUnit || undefined}
          data-outside={outside?.severity}
          title={[whole, uncorrected, mark, opened].filter((part) => part !== null).join(' · ')}
        >
          {outside === null ? null : outsideSign(t, outside, scale.isReversed)}
          <span className={classes.number}>{number}</span>
          {unit === '' ? null : <span className={classes.unit}>{unit}</span>}
          {mark === null ? null : (
            <span className={classes.mark} data-part="mark">
              {mark}
            </span>
          )}
          {opened === null ? null : (
            <span className={classes.opened} data-mark>
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
          <span aria-hidden="true" data-word>
            {t('value.isSealed')}
          </span>
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

/** Returns an arrow for the side on which the displayed number is out of range. */
function outsideSign(t: TFunction<'app'>, outside: OutOfRange, isReversed: boolean): ReactElement {
  const isLow = (outside.side === 'low') !== isReversed;
  const words = t(isLow ? 'value.tooLow' : 'value.tooHigh');
  return (
    <span className={classes.outside} title={words}>
      <Icon name={isLow ? 'arrow-down' : 'arrow-up'} size={12} label={words} />
    </span>
  );
}
