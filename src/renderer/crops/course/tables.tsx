import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { withUnit } from '../../../shared/format/scaled.ts';
import type { AnyField } from '../../../shared/measures/derived.ts';
import { percentOf } from '../../../shared/measures/time-in-range.ts';
import type { MonthSums } from '../../../shared/owner-data/cycle-sums.ts';
import { useFormat, useLocale } from '../../format/format.ts';
import { useAmountWords } from '../use-cycle-words.ts';
import { useDayText } from '../use-days.ts';
import type { StageShares } from './stage-shares.ts';
import classes from './tables.module.css';

/** Returns a function that formats a share of time, such as "94 %"; "–" if it is not known. */
export function useShareText(): (share: number | undefined) => string {
  const format = useFormat();
  return useCallback(
    (share) => (share === undefined ? '–' : withUnit(format.rounded(percentOf(share), 1), '%')),
    [format],
  );
}

/** A table that scrolls sideways if it does not fit. */
export function Scrolling({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section
      className={classes.scroll}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  );
}

/** The stages of a cycle: their first day, their length, and the share of time in range. */
export function StagesTable({ stages }: { readonly stages: readonly StageShares[] }) {
  const { t } = useTranslation(['crops', 'app']);
  const dayText = useDayText();
  const shareText = useShareText();
  const fields = fieldsOf(stages);
  return (
    <Scrolling label={t('stagesCaption')}>
      <table className={classes.table}>
        <caption>{t('stagesCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('cycle.stage')}</th>
            <th scope="col">{t('cycle.from')}</th>
            <th scope="col">{t('days')}</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {t('inRangeField', { field: t(`app:fieldShort.${field}`) })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stages.map(({ name, from, days, shares }) => (
            <tr key={from}>
              <th scope="row">{name}</th>
              <td>{dayText(from)}</td>
              <td>{days ?? '–'}</td>
              {fields.map((field) => (
                <td key={field}>{shareText(shares.get(field))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** Returns the fields for which any of the stages has a share. */
export function fieldsOf(stages: readonly StageShares[]): AnyField[] {
  return [...new Set(stages.flatMap(({ shares }) => [...shares.keys()]))];
}

/** The used and harvested amounts by month. */
export function MonthsTable({ months }: { readonly months: readonly MonthSums[] }) {
  const { t } = useTranslation('crops');
  const locale = useLocale();
  const { amount, harvest } = useAmountWords();
  const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const products = [
    ...new Map(
      months.flatMap(({ doses }) =>
        doses.map(({ product, unit }) => [JSON.stringify([product, unit]), { product, unit }]),
      ),
    ).values(),
  ];
  const total = (product: string, unit: string, { doses }: MonthSums) =>
    doses.find((dose) => dose.product === product && dose.unit === unit)?.total ?? 0;
  return (
    <Scrolling label={t('monthsCaption')}>
      <table className={classes.table}>
        <caption>{t('monthsCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('month')}</th>
            <th scope="col">{t('fact.water')}</th>
            {products.map(({ product, unit }) => (
              <th key={`${product} ${unit}`} scope="col">
                {product}
              </th>
            ))}
            <th scope="col">{t('fact.harvest')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map((sums) => (
            <tr key={sums.month}>
              <th scope="row">{monthName.format(new Date(sums.month))}</th>
              <td>{amount(sums.waterLitres, 'l')}</td>
              {products.map(({ product, unit }) => (
                <td key={`${product} ${unit}`}>{amount(total(product, unit, sums), unit)}</td>
              ))}
              <td>{harvest(sums)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
