import { useTranslation } from 'react-i18next';
import { Scrolling, useShareText } from '../../../crops/course/tables.tsx';
import { useAmountWords } from '../../../crops/use-cycle-words.ts';
import classes from '../crops.module.css';
import { type Difference, reasonsOf } from './differences.ts';

interface Props {
  readonly differences: readonly Difference[];
  readonly names: readonly [string, string];
}

/** Returns functions for the name of a difference, its values and the distance between them, in words. */
function useDifferenceWords() {
  const { t } = useTranslation(['crops', 'app']);
  const { number } = useAmountWords();
  const shareText = useShareText();
  const what = ({ subject }: Difference): string => {
    switch (subject.kind) {
      case 'dose':
        return subject.product;
      case 'stageDays':
        return t('lengthOf', { stage: subject.stage });
      case 'inRange':
        return t('fieldInRange', { field: t(`app:fieldShort.${subject.field}`), stage: subject.stage });
      default:
        return t(`difference.${subject.kind}`);
    }
  };
  const value = ({ subject, harvestUnit }: Difference, amount: number | null): string => {
    if (amount === null) return '–';
    switch (subject.kind) {
      case 'dose':
        return `${number(amount)} ${subject.unit}`;
      case 'water':
        return `${number(amount)} l`;
      case 'inRange':
        return shareText(amount);
      case 'days':
      case 'stageDays':
        return t('dayCount', { count: amount });
      default: {
        if (harvestUnit === 'pieces') return number(amount);
        return subject.kind !== 'harvest' && Math.abs(amount) < 1
          ? `${number(amount * 1000)} g`
          : `${number(amount)} kg`;
      }
    }
  };
  const apart = (difference: Difference): string => {
    const [a, b] = difference.values;
    if (a === null || b === null || a === b) return a === b ? '=' : '';
    const sign = b > a ? '+' : '−';
    const { subject } = difference;
    // The difference of two shares is in percentage points.
    if (subject.kind === 'inRange') return t('points', { sign, count: Math.round(Math.abs(b - a) * 100) });
    return `${sign}${value(difference, Math.abs(b - a))}`;
  };
  return { what, value, apart };
}

/** Says which of two cycles yielded more, and lists the largest differences. */
export function Outcome({ differences, names }: Props) {
  const { t } = useTranslation('crops');
  const { what, value } = useDifferenceWords();
  const yields =
    differences.find(({ subject, values }) => subject.kind === 'perPlant' && !values.includes(null)) ??
    differences.find(({ subject }) => subject.kind === 'harvest');
  if (yields === undefined) return null;
  const [a, b] = [yields.values[0] ?? 0, yields.values[1] ?? 0];
  const isPerPlant = yields.subject.kind === 'perPlant';
  const reasons = reasonsOf(differences);
  const better = a >= b ? 0 : 1;
  const values = { more: value(yields, Math.max(a, b)), less: value(yields, Math.min(a, b)), name: names[better] };
  const sentence = a === b ? t('outcome.same') : t(isPerPlant ? 'outcome.perPlant' : 'outcome.whole', values);
  return (
    <section className={classes.outcome} aria-label={t('outcome.title')}>
      <p className={classes.sentence}>{sentence}</p>
      {reasons.length === 0 ? (
        <p>{t('outcome.noReason')}</p>
      ) : (
        <>
          <p>{t('outcome.reasons', { first: names[0], second: names[1] })}</p>
          <ul>
            {reasons.map((difference) => (
              <li key={what(difference)}>
                {what(difference)}: <b>{value(difference, difference.values[0])}</b> {t('against')}{' '}
                <b>{value(difference, difference.values[1])}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const NOTABLE = 0.1;

/** The values of both cycles and their differences. Large differences are bold. */
export function DifferencesTable({ differences, names }: Props) {
  const { t } = useTranslation('crops');
  const { what, value, apart } = useDifferenceWords();
  return (
    <div className={classes.differences}>
      <Scrolling label={t('differences')}>
        <table aria-label={t('differences')}>
          <thead>
            <tr>
              <td />
              <th scope="col">{names[0]}</th>
              <th scope="col">{names[1]}</th>
              <th scope="col">{t('apart')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => (
              <tr key={what(difference)} data-notable={difference.weight >= NOTABLE || undefined}>
                <th scope="row">{what(difference)}</th>
                <td>{value(difference, difference.values[0])}</td>
                <td>{value(difference, difference.values[1])}</td>
                <td>{apart(difference)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </div>
  );
}
