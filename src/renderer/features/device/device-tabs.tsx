import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.tsx';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { useDeviceLink } from '../../devices/listed.ts';
import { setParameters, useParameters } from '../../router/parameters.ts';
import classes from './device-page.module.css';

const TABS = ['days', 'notes', 'readings', 'keys', 'about'] as const;
type Tab = (typeof TABS)[number];
/** These parts are below the charts on a wide screen, and tabs on a phone. */
const IN_PLACE: readonly Tab[] = ['days', 'notes', 'readings'];

interface Props {
  readonly id: string;
  readonly children: Readonly<Record<Tab, ReactNode>>;
}

/**
 * Shows days, notes, readings, keys and device facts as tabs; the page's address names the open tab. A wide screen
 * shows days, notes and readings all at once, without tabs. A phone opens no tab at first, because the page is long
 * enough.
 */
export function DeviceTabs({ id, children }: Props) {
  const { t } = useTranslation('device');
  const path = useDeviceLink(id);
  const asked = new URLSearchParams(useParameters(path)).get('tab');
  const isOwner = useMe().role === 'owner';
  const isSmall = useSmallScreen();
  const tabs = TABS.filter((each) => (IN_PLACE.includes(each) ? isSmall : isOwner));
  const open = tabs.find((each) => each === asked) ?? (isSmall ? null : 'keys');
  const show = (next: string | null): void =>
    setParameters(
      path,
      (before) => {
        const parameters = new URLSearchParams(before);
        if (next === null) parameters.delete('tab');
        else parameters.set('tab', next);
        return parameters;
      },
      'replace',
    );
  return (
    <>
      {isSmall ? null : (
        <>
          {children.days}
          {children.notes}
          {children.readings}
        </>
      )}
      {tabs.length === 0 ? null : (
        <Tabs value={open} onChange={show} keepMounted={false} allowTabDeactivation={isSmall}>
          <Tabs.List className={classes.tabs ?? ''}>
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`tab.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((each) => (
            <Tabs.Panel key={each} value={each}>
              {children[each]}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </>
  );
}
