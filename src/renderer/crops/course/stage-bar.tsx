import { useTranslation } from 'react-i18next';
import { stageSpans } from '../../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import type { View } from '../../charts/view.ts';
import { useDayText } from '../use-days.ts';
import classes from './stage-bar.module.css';

interface Props {
  readonly cycle: Cycle;
  /** The span of the bar. */
  readonly view: View;
  readonly now: number;
}

/** The stages of a cycle as parts of a time line. */
export function StageBar({ cycle, view, now }: Props) {
  const { t } = useTranslation('crops');
  const dayText = useDayText();
  const width = view.to - view.from;
  const parts = stageSpans(cycle).flatMap(({ stage, from, to }) => {
    const [begin, end] = [Math.max(from, view.from), Math.min(to ?? view.to, view.to)];
    return end <= begin ? [] : [{ stage, from, begin, end, isNow: from <= now && (to === null || now < to) }];
  });
  if (parts.length === 0) return null;
  return (
    <ol className={classes.bar} aria-label={t('cycle.stages')}>
      {parts.map(({ stage, from, begin, end, isNow }) => (
        <li
          key={from}
          className={classes.stage}
          style={{
            insetInlineStart: `${(100 * (begin - view.from)) / width}%`,
            width: `${(100 * (end - begin)) / width}%`,
          }}
          aria-current={isNow ? 'step' : undefined}
          title={`${stage.name} · ${dayText(stage.from)}`}
        >
          <b>{stage.name}</b> <span>{dayText(stage.from)}</span>
        </li>
      ))}
    </ol>
  );
}
