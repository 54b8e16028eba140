import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/format.ts';
import type { View } from '../view.ts';
import { NARROWEST_MS } from './chart-range.ts';
import classes from './span-hint.module.css';
import type { ChartActions } from './use-chart-range.ts';

/** If the readings fill a smaller part of the view, they are too narrow to read. */
const READABLE_PART = 1 / 4;

interface Props {
  readonly view: View;
  /** The span of the readings; null if there are none. */
  readonly span: View | null;
  readonly actions: ChartActions;
}

/** If the readings fill only a small part of the view, shows their span and a button that zooms to it. */
export function SpanHint({ view, span, actions }: Props) {
  const { t } = useTranslation('charts');
  const format = useFormat();
  if (span === null) return null;
  const from = Math.max(span.from, view.from);
  const to = Math.min(span.to, view.to);
  if (to - from < NARROWEST_MS || to - from > (view.to - view.from) * READABLE_PART) return null;
  return (
    <p className={classes.hint}>
      {t('range.sparse', { from: format.shortDateTime(from), to: format.shortDateTime(to) })}
      <Button variant="default" size="compact-xs" onClick={() => actions.drag(from, to)}>
        {t('range.zoomToReadings')}
      </Button>
    </p>
  );
}
