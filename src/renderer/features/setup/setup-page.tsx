import { Button } from '@mantine/core';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SETUP_STEPS, type SetupStep } from '../../../shared/owner-data/limits.ts';
import { useSetOwnerChoices } from '../../api/queries/choices.ts';
import { Icon } from '../../components/icon.tsx';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { PageLoading } from '../../components/states.tsx';
import { WhereChoice } from '../../devices/connect/ways/where-choice.tsx';
import { nameOf } from '../../devices/names.ts';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import { nextStep } from '../../setup/setup-steps.ts';
import { type Setup, useSetup } from '../../setup/use-setup.ts';
import { BackupStep } from './backup-step.tsx';
import { CropStep } from './crop-step.tsx';
import { PhoneStep } from './phone-step.tsx';
import { PlaceStep } from './place-step.tsx';
import classes from './setup.module.css';

await i18next.loadNamespaces(['setup', 'join', 'alerting', 'alerts', 'backups', 'keys']);

/** Sets up a node step by step: devices, their places and crops, messages and backups. */
export default function SetupPage() {
  const { t } = useTranslation('setup');
  useTitle(t('title'));
  const setup = useSetup();
  return (
    <LeadPage title={t('title')} lead={t('lead')}>
      {setup === undefined ? <PageLoading /> : <Steps setup={setup} />}
    </LeadPage>
  );
}

function Steps({ setup }: { setup: Setup }) {
  const { t } = useTranslation('setup');
  const { left, choices } = setup;
  const { skipped } = choices.setup;
  const write = useSetOwnerChoices();
  const [open, setOpen] = useState(() => nextStep(left, skipped, null));
  const goOn = (from: SetupStep): void => setOpen(nextStep(left, skipped, from));
  const skip = (step: SetupStep): void => {
    write.mutate(({ setup: kept }) => ({
      setup: { ...kept, skipped: [...kept.skipped.filter((each) => each !== step), step] },
    }));
    goOn(step);
  };
  return (
    <>
      <ol className={classes.steps}>
        {SETUP_STEPS.map((step) => {
          const isDone = !left.includes(step);
          const state = isDone ? 'done' : skipped.includes(step) ? 'skipped' : 'left';
          return (
            <li key={step} className={classes.step} data-state={state} aria-label={t(`step.${step}`)}>
              <h2>
                <button
                  type="button"
                  className={classes.title}
                  aria-expanded={open === step}
                  onClick={() => setOpen(open === step ? null : step)}
                >
                  <span className={classes.mark}>{isDone ? <Icon name="check" size={14} /> : null}</span>
                  <span>{t(`step.${step}`)}</span>
                  <span className={classes.state}>{t(`state.${state}`)}</span>
                </button>
              </h2>
              {open === step ? (
                <div className={classes.content}>
                  <Content step={step} setup={setup} />
                  <div className={classes.actions}>
                    {isDone ? (
                      <Button size="xs" onClick={() => goOn(step)}>
                        {t('next')}
                      </Button>
                    ) : (
                      <Button size="xs" variant="default" onClick={() => skip(step)}>
                        {t('skip')}
                      </Button>
                    )}
                  </div>
                </div>
              ) : null}
            </li>
          );
        })}
      </ol>
      <p className={classes.end} role="status">
        {left.length === 0 ? t('allDone') : t('left', { count: left.length })}{' '}
        <a href={linkTo({ page: 'overview' })}>{t('toOverview')}</a>
      </p>
    </>
  );
}

function Content({ step, setup }: { step: SetupStep; setup: Setup }): ReactNode {
  const { t } = useTranslation('setup');
  switch (step) {
    case 'device':
      return (
        <>
          {setup.devices.length === 0 ? null : (
            <p>{t('device.there', { count: setup.devices.length, name: nameOf(setup.devices[0]!) })}</p>
          )}
          <WhereChoice chosen={null} />
        </>
      );
    case 'place':
      return <PlaceStep setup={setup} />;
    case 'crop':
      return <CropStep setup={setup} />;
    case 'phone':
      return <PhoneStep />;
    case 'backup':
      return <BackupStep />;
  }
}
