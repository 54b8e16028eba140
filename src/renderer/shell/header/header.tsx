import { ActionIcon, Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnerOnly, useMe } from '../../api/me.tsx';
import { useLink } from '../../api/node-connection.ts';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { Icon, Logo } from '../../components/icon.tsx';
import { LanguageMenu } from '../../components/menus/language-menu.tsx';
import { ThemeMenu } from '../../components/menus/theme-menu.tsx';
import { linkTo, type Route } from '../../router/router.ts';
import { Bell } from './bell.tsx';
import stateClasses from './connection-state.module.css';
import classes from './header.module.css';
import { KeysStatus } from './keys-status.tsx';
import { Menu } from './menu.tsx';
import { Search } from './search.tsx';

function Home({ route }: { route: Route }) {
  return (
    <a
      className={classes.home}
      href={linkTo({ page: 'overview' })}
      aria-current={route.page === 'overview' ? 'page' : undefined}
    >
      <Logo />
      <span>Wellhouse</span>
    </a>
  );
}

interface PageLinkProps {
  readonly page: 'compare' | 'crops' | 'people' | 'settings';
  readonly route: Route;
  readonly label: string;
  readonly icon: ComponentProps<typeof Icon>['name'];
}

/** An icon with a link to a page. */
function PageLink({ page, route, label, icon }: PageLinkProps) {
  return (
    <ActionIcon
      component="a"
      href={linkTo({ page })}
      aria-current={route.page === page ? 'page' : undefined}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
    >
      <Icon name={icon} size={18} />
    </ActionIcon>
  );
}

/** The header of a small screen: a menu, the link back to the list, and the state of connection, keys and alerts. */
function SmallHeader({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  const isList = route.page === 'overview';
  const me = useMe();
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Menu route={route} />
        {isList ? (
          <Home route={route} />
        ) : (
          <a className={classes.back} href={linkTo({ page: 'overview' })}>
            <Icon name="arrow-left" size={18} />
            {t('nav.label')}
          </a>
        )}
        <div className={classes.tools}>
          <ConnectionState />
          <Bell route={route} />
          {me.mayUnlock ? <KeysStatus route={route} hasLink={false} /> : null}
        </div>
      </div>
      {isList ? <Search hasKey={false} /> : null}
    </header>
  );
}

/** The bar at the top: the link to the overview, the search, and the links and buttons that every page needs. */
export function Header({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  const me = useMe();
  if (useSmallScreen()) return <SmallHeader route={route} />;
  return (
    <header className={classes.header}>
      <Home route={route} />
      <Search hasKey />
      <div className={classes.tools}>
        <ConnectionState />
        {me.mayUnlock ? <KeysStatus route={route} /> : null}
        <Bell route={route} />
        <PageLink page="crops" route={route} label={t('crops.title')} icon="sprout" />
        <PageLink page="compare" route={route} label={t('shell.compare')} icon="compare" />
        <OwnerOnly>
          <PageLink page="people" route={route} label={t('people.title')} icon="phone" />
          <Button
            component="a"
            href={linkTo({ page: 'connect' })}
            aria-current={route.page === 'connect' ? 'page' : undefined}
            variant="default"
            size="xs"
            className={classes.connect ?? ''}
            title={t('shell.connect')}
            leftSection={<Icon name="plus" />}
          >
            <span className={classes.words}>{t('shell.connect')}</span>
          </Button>
        </OwnerOnly>
        <ThemeMenu />
        <LanguageMenu />
        <OwnerOnly>
          <PageLink page="settings" route={route} label={t('shell.settings')} icon="settings" />
        </OwnerOnly>
      </div>
    </header>
  );
}

/**
 * Whether the page is connected, so that new readings appear by themselves. For an owner it is a link to the node's
 * page.
 */
function ConnectionState() {
  const { t } = useTranslation('app');
  const { state } = useLink();
  const isOwner = useMe().role === 'owner';
  return (
    <a
      className={stateClasses.state}
      data-state={state}
      href={linkTo({ page: isOwner ? 'node' : 'overview' })}
      title={isOwner ? t('node.title') : undefined}
    >
      <span className={stateClasses.dot} aria-hidden="true" />
      <span>{t(`connection.${state}`)}</span>
    </a>
  );
}
