import { ActionIcon, Drawer } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallerInfo } from '../../../shared/owner-api/node.ts';
import { useMe } from '../../api/me.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { LanguageMenu } from '../../components/menus/language-menu.tsx';
import { ThemeMenu } from '../../components/menus/theme-menu.tsx';
import { linkTo, type Route } from '../../router/router.ts';
import classes from './menu.module.css';

const PAGES = [
  { page: 'overview', icon: 'list', text: 'overview.title' },
  { page: 'alerts', icon: 'bell', text: 'shell.alerts' },
  { page: 'crops', icon: 'sprout', text: 'crops.title' },
  { page: 'compare', icon: 'compare', text: 'shell.compare' },
  { page: 'connect', icon: 'plus', text: 'shell.connect' },
  { page: 'keys', icon: 'key', text: 'shell.keys' },
  { page: 'people', icon: 'phone', text: 'people.title' },
  { page: 'connections', icon: 'share', text: 'connections.title' },
  { page: 'security', icon: 'lock', text: 'security.title' },
  { page: 'node', icon: 'database', text: 'node.title' },
  { page: 'settings', icon: 'settings', text: 'shell.settings' },
] as const satisfies readonly { page: Route['page']; icon: IconName; text: string }[];

/** Returns whether the caller may open a page. */
function isForMe({ role, mayUnlock }: CallerInfo, page: Route['page']): boolean {
  if (page === 'keys') return role === 'owner' && mayUnlock;
  return role === 'owner' || page === 'overview' || page === 'alerts' || page === 'crops' || page === 'compare';
}

/** The links to all pages, on a screen where the header has no room for them. */
export function Menu({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  const [isOpen, setOpen] = useState(false);
  const me = useMe();
  const close = (): void => setOpen(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: back and forth lead to another page behind the menu
  useEffect(() => setOpen(false), [route]);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('shell.menu')}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" size={20} />
      </ActionIcon>
      <Drawer opened={isOpen} onClose={close} title="Wellhouse" closeButtonProps={{ 'aria-label': t('common.close') }}>
        <nav aria-label={t('shell.menu')}>
          <ul className={classes.pages}>
            {PAGES.filter(({ page }) => isForMe(me, page)).map(({ page, icon, text }) => (
              <li key={page}>
                <a
                  className={classes.page}
                  href={linkTo(page === 'alerts' ? { page, id: null } : { page })}
                  aria-current={route.page === page ? 'page' : undefined}
                  onClick={close}
                >
                  <Icon name={icon} size={18} />
                  {t(text)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={classes.tools}>
          <ThemeMenu />
          <LanguageMenu />
        </div>
      </Drawer>
    </>
  );
}
