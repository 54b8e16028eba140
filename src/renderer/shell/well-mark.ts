import { useEffect } from 'react';
import { useWellnesses } from '../alerts/use-wellness.ts';
import { useListedDevices } from '../devices/listed.ts';
import { titleCount } from '../router/title.ts';

/**
 * The logo with a triangle, which means that a device needs the owner. Its colours are visible on light and dark tabs.
 */
const ALARM = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#006c7d"/>
<path d="M14 6.5c4.5 5.2 6.5 8.3 6.5 11.5a6.5 6.5 0 0 1-13 0c0-3.2 2-6.3 6.5-11.5z" fill="#e8f6f8"/>
<path d="M22 14l10 18H12z" fill="#e8590c" stroke="#fff" stroke-width="2"/></svg>`;

/**
 * Shows in the title and the icon of the browser's tab whether a device needs the owner. A component, as it renders with
 * each reading: its parent would render the whole page.
 */
export function WellMark(): null {
  const count = useWellnesses(useListedDevices()).filter((wellness) => wellness === 'needsYou').length;
  useEffect(() => {
    titleCount.set(count);
    return () => titleCount.set(0);
  }, [count]);
  const isAlarm = count > 0;
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon === null || !isAlarm) return;
    const calm = icon.href;
    icon.href = `data:image/svg+xml,${encodeURIComponent(ALARM)}`;
    return () => {
      icon.href = calm;
    };
  }, [isAlarm]);
  return null;
}
