import { Button, NativeSelect, SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { LANGUAGES, type Language } from '../../../shared/texts/languages.ts';
import { useMe } from '../../api/me.tsx';
import { LockAfter } from '../../keys/parts/lock-after.tsx';
import { useKeySession } from '../../keys/session/page-keys.ts';
import { requestUnlock } from '../../keys/session/unlock-request.ts';
import { linkTo } from '../../router/router.ts';
import { useLanguage, useLanguageChoice } from '../../texts/language.ts';
import { Row, Section } from './section.tsx';
import classes from './settings.module.css';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Edits language and theme, as in the header's menus, and when the keys lock. */
export function AppearanceSection({ view }: { view: SettingsView }) {
  const { t } = useTranslation(['settings', 'app']);
  const language = useLanguage();
  const { choose, hasFailed } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const kept = view.ownerView === 'browser' ? t('text.ofThisBrowser') : undefined;
  return (
    <Section title={t('section.view')}>
      <Row name={t('name.language')} text={kept}>
        <NativeSelect
          size="sm"
          aria-label={t('name.language')}
          error={hasFailed ? t('app:shell.languageFailed') : undefined}
          value={language}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          onChange={(event) => choose(event.currentTarget.value as Language)}
        />
      </Row>
      <Row name={t('name.theme')} text={kept}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('name.theme')}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as (typeof SCHEMES)[number])}
          data={SCHEMES.map((value) => ({ value, label: t(`app:theme.${value}`) }))}
        />
      </Row>
      <LockAfterRow />
    </Section>
  );
}

/** Edits when the keys lock automatically. The keystore stores this, so it can be changed only while it is unlocked. */
function LockAfterRow() {
  const { t } = useTranslation(['settings', 'app']);
  const session = useKeySession();
  const { mayUnlock } = useMe();
  if (!mayUnlock) return null;
  const isLocked = session.status === 'locked' || session.status === 'unlocking';
  return (
    <Row name={t('name.lockAfter')} text={t('text.lockAfter')}>
      {session.status === 'unlocked' ? (
        // Suspends while the texts of the keys are loading.
        <Suspense fallback={null}>
          <LockAfter view={session.view} label={t('name.lockAfter')} />
        </Suspense>
      ) : (
        <Stack gap={6} align="start">
          {isLocked ? <span className={classes.notApplicable}>{t('lockAfter.locked')}</span> : null}
          {session.status === 'absent' ? <span className={classes.notApplicable}>{t('lockAfter.none')}</span> : null}
          {session.status === 'insecure' ? (
            <span className={classes.notApplicable}>{t('lockAfter.insecure')}</span>
          ) : null}
          {isLocked ? (
            <Button size="xs" variant="default" onClick={requestUnlock}>
              {t('app:shell.unlock')}
            </Button>
          ) : null}
          <a className={classes.link} href={linkTo({ page: 'keys' })}>
            {t('toKeys')}
          </a>
        </Stack>
      )}
    </Row>
  );
}
