import { useEffect, useRef } from 'react';
import type { DeviceSummary } from '../../shared/owner-api.ts';
import { useOverview } from '../api/queries.ts';
import { rowNumbers, useRowsInView } from '../components/use-rows-in-view.ts';
import { setPreferences } from '../features/overview/preferences.ts';
import { SHOW_ALL } from '../features/overview/select-devices.ts';
import { useSelection } from '../features/overview/use-selection.ts';
import { useFormat } from '../format.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import classes from './device-nav.module.css';
import { DeviceNavItem, ITEM_HEIGHT } from './device-nav-item.tsx';

const NONE: readonly DeviceSummary[] = [];

/** The devices beside the page: the overview's list, in its order, with what matters at a glance. */
export function DeviceNav({ activeId }: { activeId: string | null }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { data } = useOverview();
  const scroll = useRef<HTMLDivElement>(null);
  const { mine, claimed, others, hiddenMine, hiddenOthers } = useSelection(data?.devices ?? NONE);
  const listed = [...mine, ...claimed, ...others];
  const hidden = hiddenMine + hiddenOthers;

  const inView = useRowsInView(scroll, { count: listed.length, rowPx: ITEM_HEIGHT, margin: 0, more: 6 });

  const activeIndex = listed.findIndex((device) => device.id === activeId);
  const isListed = activeIndex >= 0;
  // Only when another device is opened, or the list comes: its place changes with each reading where that is the order.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isListed) inView.scrollTo(activeIndex);
  }, [activeId, isListed]);

  if (data !== undefined && data.devices.length === 0) return null;
  return (
    <nav className={classes.nav} aria-label={t('nav.label')} data-devices>
      <div className={classes.head}>
        <span className={classes.title}>{t('nav.label')}</span>
        <span className={classes.count}>{data === undefined ? '' : format.integer(listed.length)}</span>
      </div>
      <div ref={scroll} className={classes.scroll}>
        <ul className={classes.list} style={{ height: listed.length * ITEM_HEIGHT }}>
          {rowNumbers(inView).map((index) => {
            const device = listed[index]!;
            return (
              <DeviceNavItem
                key={device.id}
                device={device}
                active={index === activeIndex}
                top={index * ITEM_HEIGHT}
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
