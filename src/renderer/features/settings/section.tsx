import { Badge, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './settings.module.css';

/** A group of settings under a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
      </div>
      {children}
    </section>
  );
}

/** The facts about a setting that a row needs. */
export interface RowSetting {
  readonly source: 'environment' | 'file' | 'default';
  readonly variable: string | null;
  readonly applies: boolean;
}

/** Returns whether the owner can change a setting here. */
export function isOpen({ source, applies }: RowSetting): boolean {
  return applies && source !== 'environment';
}

interface RowProps {
  readonly name: string;
  readonly text?: ReactNode;
  /** Missing if the row is not a setting. */
  readonly setting?: RowSetting;
  readonly wide?: boolean;
  readonly children?: ReactNode;
}

/** A setting: its name on the left, its control on the right, and the environment variable that sets it, if any. */
export function Row({ name, text, setting, wide, children }: RowProps) {
  const { t } = useTranslation('settings');
  return (
    <div className={classes.row} data-wide={wide || undefined}>
      <div>
        <p className={classes.name}>
          {name}
          {setting?.source === 'environment' && setting.applies ? (
            <Badge
              size="sm"
              variant="default"
              tt="none"
              fw={500}
              classNames={{ root: classes.source ?? '', label: classes.sourceText ?? '' }}
            >
              {t('source.environment', { variable: setting.variable ?? '' })}
            </Badge>
          ) : null}
        </p>
        {text === undefined ? null : <p className={classes.text}>{text}</p>}
      </div>
      <div className={classes.control}>
        {setting?.applies === false ? <span className={classes.notApplicable}>{t('desktopOnly')}</span> : children}
      </div>
    </div>
  );
}
