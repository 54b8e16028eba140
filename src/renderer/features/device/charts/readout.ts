import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openedText, stepMeanText, valueText } from '../../../../shared/format/scaled.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { Cursor } from '../../../charts/drawing/chart-options.ts';
import type { Earlier } from '../../../charts/range/overlay.ts';
import type { FieldData } from '../../../charts/series/chart-data.ts';
import { entryAt } from '../../../charts/series/entry-at.ts';
import { useFormat } from '../../../format/format.ts';
import { useShownText } from '../../../format/shown-text.ts';
import type { Mark } from '../../../journal/marks.ts';
import { useEntryWords } from '../../../journal/use-act-words.ts';

/** A screen reader announces only positions where the cursor rests. */
const SPOKEN_AFTER_MS = 300;

/**
 * Writes the value under the cursor, in words, directly into DOM elements. The cursor moves on many charts at once,
 * many times per second, and React rendering would lag behind.
 */
export function useReadout(scale: FieldScale, data: FieldData, earlier: Earlier | null, marks: readonly Mark[]) {
  const { t } = useTranslation('charts');
  const format = useFormat();
  const shownText = useShownText();
  const words = useEntryWords();
  const visible = useRef<HTMLSpanElement>(null);
  const spoken = useRef<HTMLSpanElement>(null);
  const timer = useRef<number | undefined>(undefined);
  const shown = useRef<Cursor | null>(null);

  const describeEarlier = useCallback(
    (cursor: Cursor): string => {
      const behind = earlier?.data ?? null;
      const index = behind === null ? null : entryAt(behind, cursor.time, cursor.nearMs);
      const mean = index === null ? null : behind?.mean[index];
      if (earlier === null || mean == null) return '';
      const text = behind?.stepMs === null ? openedText : stepMeanText;
      const overlay = t(`overlay.name.${earlier.overlay}`);
      return ` · ${t('overlay.readout', { overlay, value: shownText(text, scale, mean) })}`;
    },
    [earlier, shownText, t, scale],
  );

  const describeOwn = useCallback(
    (cursor: Cursor): string => {
      // Looked up on each call, because the data may have changed since the cursor moved.
      const index = entryAt(data, cursor.time, cursor.nearMs);
      const mean = index === null ? null : data.mean[index];
      if (index === null || mean === null || mean === undefined) {
        return t('chart.readoutNone', { time: format.shortDateTime(cursor.time) });
      }
      const time = data.times[index]!;
      const text = data.openings.opened > 0 || data.stepMs !== null ? openedText : valueText;
      if (data.stepMs === null) {
        return t('chart.readout', { value: shownText(text, scale, mean), time: format.shortDateTime(time) });
      }
      const [min, max] = [data.min[index]!, data.max[index]!];
      const isOneValue = min === max;
      return t(isOneValue ? 'chart.stepReadoutOne' : 'chart.stepReadout', {
        mean: shownText(stepMeanText, scale, mean),
        min: shownText(text, scale, min, ''),
        max: shownText(text, scale, max, ''),
        from: format.shortDateTime(time - data.stepMs / 2),
        step: format.duration(data.stepMs),
      });
    },
    [data, format, shownText, t, scale],
  );

  const describe = useCallback(
    (cursor: Cursor | null) => {
      if (cursor === null) return '';
      const near = marks.filter(({ entry }) => Math.abs(entry.at - cursor.time) <= cursor.nearMs);
      const notes = near.map(({ number, entry }) => ` · ${t('note', { number, text: words(entry) })}`);
      return describeOwn(cursor) + describeEarlier(cursor) + notes.join('');
    },
    [describeOwn, describeEarlier, marks, words, t],
  );

  const show = useCallback(
    (cursor: Cursor | null): void => {
      shown.current = cursor;
      const text = describe(cursor);
      if (visible.current !== null) visible.current.textContent = text;
      window.clearTimeout(timer.current);
      if (document.activeElement?.closest('figure') !== visible.current?.closest('figure')) return;
      timer.current = window.setTimeout(() => {
        if (spoken.current !== null) spoken.current.textContent = text;
      }, SPOKEN_AFTER_MS);
    },
    [describe],
  );

  // Updates the text when the data changes under a resting cursor. Opened values must disappear when the keys are
  // locked.
  useLayoutEffect(() => {
    const text = describe(shown.current);
    if (visible.current !== null) visible.current.textContent = text;
    if (spoken.current?.textContent) spoken.current.textContent = text;
    window.clearTimeout(timer.current);
  }, [describe]);

  useEffect(() => () => window.clearTimeout(timer.current), []);
  return { visible, spoken, show };
}
