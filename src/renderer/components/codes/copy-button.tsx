import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copySecret, copyText } from '../browser/clipboard.ts';
import { Icon } from '../icon.tsx';
import classes from './code-line.module.css';

interface Props {
  readonly text: string;
  /** The accessible name of the button ("Copy the device id"). */
  readonly label: string;
  /** Whether the text is removed from the clipboard after a minute. */
  readonly isSecret?: boolean;
}

/** A button that copies a text. It confirms that for two seconds, also to screen readers. */
export function CopyButton({ text, label, isSecret = false }: Props) {
  const { t } = useTranslation('app');
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = window.setTimeout(() => setState('idle'), 2000);
    return () => window.clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    (isSecret ? copySecret : copyText)(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const says = {
    idle: label,
    copied: t(isSecret ? 'common.copiedSecret' : 'common.copied'),
    failed: t('common.copyFailed'),
  }[state];
  return (
    <>
      <Tooltip label={says} {...(state === 'idle' ? {} : { opened: true })} openDelay={400}>
        <ActionIcon
          variant="subtle"
          color={state === 'failed' ? 'red' : 'gray'}
          size="sm"
          aria-label={label}
          onClick={copy}
        >
          <Icon name={state === 'copied' ? 'check' : state === 'failed' ? 'alert' : 'copy'} size={14} />
        </ActionIcon>
      </Tooltip>
      <span className="visually-hidden" role="status">
        {state === 'idle' ? '' : says}
      </span>
    </>
  );
}

/** A command or an address with a button that copies it. Long lines wrap. */
export function CodeLine({ text, label, isSecret = false }: Props) {
  return (
    <div className={classes.line}>
      <code className={classes.code}>{text}</code>
      <CopyButton text={text} label={label} isSecret={isSecret} />
    </div>
  );
}
