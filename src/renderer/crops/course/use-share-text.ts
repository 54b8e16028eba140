import { useCallback } from 'react';
import { withUnit } from '../../../shared/format/scaled.ts';
import { percentOf } from '../../../shared/measures/time-in-range.ts';
import { useFormat } from '../../format/format.ts';

/** Gives a share of the time in words, such as "94 %"; "–" where nothing is known. */
export function useShareText(): (share: number | undefined) => string {
  const format = useFormat();
  return useCallback(
    (share) => (share === undefined ? '–' : withUnit(format.rounded(percentOf(share), 1), '%')),
    [format],
  );
}
