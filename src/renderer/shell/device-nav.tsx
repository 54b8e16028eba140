import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { useOverview } from '../api/queries/overview.ts';
import { setPreferences } from '../devices/preferences.ts';
import { SHOW_ALL } from '../devices/select-devices.ts';
import { useSelection } from '../devices/use-selection.ts';
import { useFormat } from '../format/format.ts';
import classes from './device-nav.module.css';
import { DeviceNavItem, ITEM_HEIGHT } from './device-nav-item.tsx';

const NONE: readonly DeviceSummary[] = [];

/** The list of devices next to the page, in the overview's order. */
export function DeviceNav({ activeId }: { activeId: string | null }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { data } = useOverview();
  const scroll = useRef<HTMLDivElement>(null);
  const { mine, claimed, others, hiddenMine, hiddenOthers } = useSelection(data?.devices ?? NONE);
  const listed = [...mine, ...claimed, ...others];
  const hidden = hiddenMine + hiddenOthers;

  const virtualizer = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ITEM_HEIGHT,
    overscan: 6,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });

  const activeIndex = listed.findIndex((device) => device.id === activeId);
  const isListed = activeIndex >= 0;
  // Only when another device is opened, or the list comes: its place changes with each reading where that is the order.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isListed) virtualizer.scrollToIndex(activeIndex);
  }, [activeId, isListed]);

  if (data !== undefined && data.devices.length === 0) return null;
  return (
    <nav className={classes.nav} aria-label={t('nav.label')} data-devices>
      <div className={classes.head}>
        <span className={classes.title}>{t('nav.label')}</span>
        <span className={classes.count}>{data === undefined ? '' : format.integer(listed.length)}</span>
      </div>
      <div ref={scroll} className={classes.scroll}>
        <ul className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const device = listed[index]!;
            return (
              <DeviceNavItem
                key={device.id}
                device={device}
                active={index === activeIndex}
                top={start}
                index={index}
                count={listed.length}
              />
            );
          })}
        </ul>
      </div>
      {hidden > 0 ? (
        <div className={classes.foot}>
          {t('nav.hidden', { count: hidden })}
          <button type="button" className={classes.all} onClick={() => setPreferences(SHOW_ALL)}>
            {t('overview.showAll')}
          </button>
        </div>
      ) : null}
    </nav>
  );
}
