import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { Refused, useSetSettings } from '../../api/queries/settings.ts';
import { changeOf, ENDPOINT_FIELDS, type EndpointField, formOf } from '../../settings/endpoint-form.ts';
import { failureText } from '../../settings/problem-text.ts';
import { PublicEndpoint } from './public-endpoint.tsx';
import { isOpen, Row, Section } from './section.tsx';
import classes from './settings.module.css';

/** Edits where the endpoints listen and whom they answer. Changes take effect when they are saved. */
export function EndpointsSection({ view }: { view: SettingsView }) {
  const { t } = useTranslation(['settings', 'app']);
  const save = useSetSettings();
  const [edited, setEdited] = useState<Partial<Record<EndpointField, string>>>({});
  const [refused, setRefused] = useState<EndpointField | null>(null);
  const form = { ...formOf(view), ...edited };
  const isChanged = ENDPOINT_FIELDS.some((field) => form[field] !== formOf(view)[field]);

  const reset = (): void => {
    setEdited({});
    setRefused(null);
    save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const checked = changeOf(form, view);
    setRefused('refused' in checked ? checked.refused : null);
    if ('refused' in checked) return;
    if (Object.keys(checked.change).length === 0) reset();
    else save.mutate(checked.change, { onSuccess: () => setEdited({}) });
  };
  const errorOf = (field: EndpointField): string | undefined => {
    if (refused === field) return t(`refused.${field}`);
    const isBlamed = save.error instanceof Refused && save.error.problem.setting === field;
    return isBlamed ? failureText(t, save.error, view) : undefined;
  };
  const isElsewhere =
    save.error !== null &&
    !(save.error instanceof Refused && (ENDPOINT_FIELDS as readonly string[]).includes(save.error.problem.setting));
  const input = (field: EndpointField, isNumber: boolean) => (
    <TextInput
      size="sm"
      aria-label={t(`name.${field}`)}
      inputMode={isNumber ? 'numeric' : 'text'}
      maxLength={isNumber ? 7 : 2000}
      spellCheck={false}
      autoComplete="off"
      disabled={!isOpen(view.settings[field])}
      value={form[field]}
      error={errorOf(field)}
      onChange={(event) => {
        setEdited({ ...edited, [field]: event.currentTarget.value });
        setRefused(null);
        save.reset();
      }}
    />
  );
  return (
    <Section title={t('section.endpoints')}>
      <form onSubmit={submit} aria-label={t('section.endpoints')}>
        <Row name={t('name.localPort')} text={t('text.localPort')} setting={view.settings.localPort}>
          {input('localPort', true)}
        </Row>
        <PublicEndpoint view={view} />
        <Row name={t('name.publicPort')} text={t('text.publicPort')} setting={view.settings.publicPort}>
          {input('publicPort', true)}
        </Row>
        <Row name={t('name.publicRateLimit')} text={t('text.publicRateLimit')} setting={view.settings.publicRateLimit}>
          {input('publicRateLimit', true)}
        </Row>
        <Row
          name={t('name.localAllowedHosts')}
          text={t('text.localAllowedHosts')}
          setting={view.settings.localAllowedHosts}
        >
          {input('localAllowedHosts', false)}
        </Row>
        <div className={classes.foot}>
          <span role="status" className={classes.said} data-kind={isElsewhere ? 'error' : 'fine'}>
            {isElsewhere ? failureText(t, save.error, view) : save.isSuccess && !isChanged ? t('saved') : ''}
          </span>
          <Button size="xs" variant="default" disabled={!isChanged} onClick={reset}>
            {t('undo')}
          </Button>
          <Button size="xs" type="submit" disabled={!isChanged} loading={save.isPending}>
            {t('app:common.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
