import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './code-line.module.css';
import { Icon } from './icon.tsx';

/** Copies a text; `label` says what it is ("Copy the device id"). Says so for two seconds, also to a screen reader. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('app');
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = window.setTimeout(() => setState('idle'), 2000);
    return () => window.clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    // Away from localhost without TLS a browser has no clipboard at all.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const says = { idle: label, copied: t('common.copied'), failed: t('common.copyFailed') }[state];
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

/** A command or an address to copy; `label` says what the button copies. Long lines wrap. */
export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.line}>
      <code className={classes.code}>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
