import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { linkTo } from '../../../router/router.ts';
import classes from './where-choice.module.css';

const PLACES = ['network', 'elsewhere'] as const;
const ICONS: Readonly<Record<(typeof PLACES)[number], IconName>> = { network: 'device', elsewhere: 'globe' };

interface Props {
  readonly chosen: (typeof PLACES)[number] | null;
  /** One more choice. */
  readonly children?: ReactNode;
}

/** Asks where the devices to connect are. */
export function WhereChoice({ chosen, children }: Props) {
  const { t } = useTranslation('join');
  const title = useId();
  return (
    <nav className={classes.where} aria-labelledby={title}>
      <Title order={2} size="h4" id={title}>
        {t('where.question')}
      </Title>
      <div className={classes.choices}>
        {PLACES.map((place) => (
          <a
            key={place}
            className={classes.choice}
            href={linkTo({ page: 'connect', from: place })}
            aria-current={chosen === place ? 'page' : undefined}
          >
            <Icon name={ICONS[place]} size={22} />
            <span>
              <strong>{t(`where.${place}`)}</strong>
              <span className={classes.text}>{t(`where.${place}Text`)}</span>
            </span>
          </a>
        ))}
        {children}
      </div>
    </nav>
  );
}
