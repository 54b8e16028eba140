import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import classes from './keys.module.css';
import { NewKeystoreForm } from './new-keystore-form.tsx';

/** A new keystore in the place of one that can't be opened: folded away, and only for who says that they are sure. */
export function StartAnew({ summary, text }: { summary: string; text: string }) {
  const { t } = useTranslation('keys');
  const [isSure, setIsSure] = useState(false);
  return (
    <details className={classes.more}>
      <summary>{summary}</summary>
      <p>{text}</p>
      <NewKeystoreForm submit={t('locked.startAnew')} isAllowed={isSure}>
        <Checkbox
          size="sm"
          label={t('locked.sure')}
          checked={isSure}
          onChange={(event) => setIsSure(event.currentTarget.checked)}
        />
      </NewKeystoreForm>
    </details>
  );
}
