import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NodeProvider } from '../../api/node-connection.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { textScale } from '../../components/browser/small-screen.ts';
import { useGroups } from '../../devices/groups/use-groups.ts';
import { deviceRoute, type ListedDevice, listKey, useListedDevices } from '../../devices/listed.ts';
import { setPreferences } from '../../devices/selection/preferences.ts';
import { SHOW_ALL } from '../../devices/selection/select-devices.ts';
import { useSelection } from '../../devices/selection/use-selection.ts';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import classes from './device-nav.module.css';
import { DeviceNavItem, ITEM_HEIGHT } from './device-nav-item.tsx';
import { NAV_GROUP_HEIGHT, NavGroup } from './nav-group.tsx';
import { navRows } from './nav-rows.ts';

/**
 * The list of devices next to the page, in the overview's order and with its groups. `active` is the address of the
 * page.
 */
export function DeviceNav({ active }: { active: string }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { data } = useOverview();
  const devices = useListedDevices();
  const { groups, toggle } = useGroups();
  const scroll = useRef<HTMLDivElement>(null);
  const { mine, claimed, others, hiddenMine, hiddenOthers } = useSelection(devices);
  const rows = useMemo(
    () => navRows(groups, mine, [...claimed, ...others], (device) => isAt(device, active)),
    [groups, mine, claimed, others, active],
  );
  const listed = mine.length + claimed.length + others.length;
  const hidden = hiddenMine + hiddenOthers;

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (rows[index]?.kind === 'group' ? NAV_GROUP_HEIGHT : ITEM_HEIGHT) * textScale(),
    getItemKey: (index) => keyOf(rows[index]),
    overscan: 6,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // Group names are lower than devices. The heights must be measured again if the order of the two changes.
  const kinds = rows.map(({ kind }) => kind[0]).join('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what changed
  useEffect(() => virtualizer.measure(), [kinds]);

  const activeIndex = rows.findIndex((row) => row.kind === 'device' && isAt(row.device, active));
  const isListed = activeIndex >= 0;
  // Scroll only if another device was opened or the list appeared. If the list is sorted by a value, the device moves
  // with each reading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isListed) virtualizer.scrollToIndex(activeIndex);
  }, [active, isListed]);

  if (data !== undefined && devices.length === 0) return null;
  return (
    <nav className={classes.nav} aria-label={t('nav.label')} data-devices>
      <div className={classes.head}>
        <span className={classes.title}>{t('nav.label')}</span>
        <span className={classes.count}>{data === undefined ? '' : format.integer(listed)}</span>
      </div>
      <div ref={scroll} className={classes.scroll}>
        <ul className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index]!;
            const place = { index, count: rows.length, top: start };
            return row.kind === 'group' ? (
              <NavGroup key={key} group={row.group} devices={row.count} onToggle={toggle} {...place} />
            ) : (
              <NodeProvider key={key} value={row.device.node}>
                <DeviceNavItem device={row.device} active={index === activeIndex} {...place} />
              </NodeProvider>
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

function isAt({ id, node }: ListedDevice, address: string): boolean {
  return linkTo(deviceRoute(id, node)) === address;
}

function keyOf(row: ReturnType<typeof navRows<ListedDevice>>[number] | undefined): string {
  if (row === undefined) return '';
  return row.kind === 'group' ? `group ${row.group?.id ?? ''}` : listKey(row.device);
}
