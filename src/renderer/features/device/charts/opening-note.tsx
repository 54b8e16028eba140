import { useTranslation } from 'react-i18next';
import type { OpeningFault } from '../../../../shared/crypto/keyring/opening.ts';
import { Icon } from '../../../components/icon.tsx';
import { useFormat } from '../../../format/format.ts';
import type { OpenedCounts } from '../../../opening/merge-opened.ts';
import classes from './field-chart.module.css';

/** An open lock next to the name of a chart that draws opened values. */
export function OpeningMark({ openings: { opened } }: { openings: OpenedCounts }) {
  const { t } = useTranslation('keyring');
  const format = useFormat();
  if (opened === 0) return null;
  const label = t('opening.drawn', { count: opened, shown: format.integer(opened) });
  return (
    <span className={classes.opened} title={label}>
      <Icon name="unlock" size={13} label={label} />
    </span>
  );
}

/** Says why values of a chart could not be opened, with the number of values per reason. */
export function OpeningNote({ openings: { failed } }: { openings: OpenedCounts }) {
  const { t } = useTranslation('keyring');
  const format = useFormat();
  const reasons = Object.entries(failed) as [OpeningFault, number][];
  const count = reasons.reduce((sum, [, each]) => sum + each, 0);
  if (count === 0) return null;
  const list = reasons
    .map(([reason, each]) =>
      each === count ? t(`fault.${reason}`) : `${t(`fault.${reason}`)} (${format.integer(each)})`,
    )
    .join(', ');
  return (
    <div className={classes.failed}>
      <Icon name="lock-alert" size={12} />
      {t('opening.notDrawn', { count, shown: format.integer(count), reasons: list })}
    </div>
  );
}
