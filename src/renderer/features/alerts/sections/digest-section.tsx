import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DigestSetting, digestSetting } from '../../../../shared/alerts/channel.ts';
import { localZone } from '../../../../shared/export/file-name.ts';
import type { ChannelState } from '../../../../shared/owner-api/alerts.ts';
import { ChannelsChoice, channelName } from '../../../alerts/rules/channels-choice.tsx';
import { CallFailed } from '../../../alerts/rules/dialog-parts.tsx';
import { useAlertCall, useAlertOptions, useSetAlertOptions } from '../../../api/queries/alerts.ts';
import { useLocale } from '../../../format/format.ts';
import digestClasses from './digest-section.module.css';
import optionClasses from './options-card.module.css';
import { OptionsCard } from './options-card.tsx';

/** Edits the summary message (when and where it is sent) and previews it. */
export function DigestSection({ channels }: { channels: readonly ChannelState[] }) {
  const { data } = useAlertOptions();
  // Called outside the form, because the form is remounted when the saved options change.
  const save = useSetAlertOptions();
  if (data === undefined) return null;
  return <DigestForm key={JSON.stringify(data.digest)} kept={data.digest} channels={channels} save={save} />;
}

interface FormProps {
  readonly kept: DigestSetting | null;
  readonly channels: readonly ChannelState[];
  readonly save: ReturnType<typeof useSetAlertOptions>;
}

const EVERY_DAY = '';

function DigestForm({ kept, channels, save }: FormProps) {
  const { t } = useTranslation(['alerting', 'alerts', 'app']);
  const usual: DigestSetting = { weekday: null, time: '07:00', zone: localZone(), channels: 'all' };
  const [isOn, setOn] = useState(kept !== null);
  const [setting, setSetting] = useState<DigestSetting>(kept ?? usual);
  const [refused, setRefused] = useState<ReadonlySet<PropertyKey>>(new Set());
  const preview = useAlertCall('alertDigest');
  const send = useAlertCall('sendAlertDigest');
  const weekdays = useWeekdays();
  const change = (part: Partial<DigestSetting>) => setSetting({ ...setting, ...part });
  /** Returns the setting in the form, or null if it is invalid. Marks the invalid fields. */
  const checked = (): DigestSetting | null => {
    const found = digestSetting.safeParse(setting);
    setRefused(new Set(found.error?.issues.map(({ path }) => path[0]!)));
    return found.data ?? null;
  };
  const submit = (): void => {
    const digest = isOn ? checked() : null;
    // The owner enters times in the local time zone.
    if (!isOn || digest !== null) save.mutate({ digest: digest && { ...digest, zone: localZone() } });
  };
  const failed = send.data?.results.filter(({ failure }) => failure !== null) ?? [];
  return (
    <OptionsCard title={t('digest.title')} save={save} onSubmit={submit}>
      <Switch
        label={t('digest.isOn')}
        description={t('digest.text')}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {isOn ? (
        <>
          <div className={optionClasses.hours}>
            <NativeSelect
              size="sm"
              label={t('digest.every')}
              value={setting.weekday === null ? EVERY_DAY : String(setting.weekday)}
              onChange={({ currentTarget: { value } }) =>
                change({ weekday: value === EVERY_DAY ? null : Number(value) })
              }
              data={[{ value: EVERY_DAY, label: t('digest.daily') }, ...weekdays]}
            />
            <TextInput
              type="time"
              size="sm"
              label={t('digest.time')}
              value={setting.time}
              error={refused.has('time') ? t('digest.timeRefused') : undefined}
              onChange={(event) => change({ time: event.currentTarget.value })}
            />
          </div>
          <p className={digestClasses.note}>{t('digest.zone', { zone: localZone() })}</p>
          <ChannelsChoice value={setting.channels} onChange={(value) => change({ channels: value })} />
          {refused.has('channels') ? (
            <span role="alert" className={digestClasses.failed}>
              {t('digest.channelsRefused')}
            </span>
          ) : null}
          {channels.length === 0 ? <p className={digestClasses.note}>{t('digest.noChannel')}</p> : null}
          <div className={digestClasses.buttons}>
            <Button
              size="xs"
              variant="default"
              loading={preview.isPending}
              onClick={() => {
                const digest = checked();
                if (digest !== null) preview.mutate(digest);
              }}
            >
              {t('digest.preview')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={channels.length === 0}
              loading={send.isPending}
              onClick={() => {
                const digest = checked();
                if (digest !== null) send.mutate(digest);
              }}
            >
              {t('digest.sendNow')}
            </Button>
            <span role="status" className={digestClasses.note}>
              {send.data === undefined || failed.length > 0
                ? ''
                : t(send.data.results.length === 0 ? 'digest.nobody' : 'digest.sent')}
            </span>
          </div>
          {failed.map(({ channel, failure }) => {
            const config = channels.find((each) => each.channel.id === channel)?.channel;
            const name = config === undefined ? '' : channelName(config, t(`kind.${config.target.kind}`));
            return (
              <p key={channel} role="alert" className={digestClasses.failed}>
                {name}: {t('test.failed')} {t(`alerts:fault.${failure!.fault}`)}
              </p>
            );
          })}
          <CallFailed error={preview.error ?? send.error} />
          {preview.data === undefined ? null : (
            <section aria-label={t('digest.preview')} className={digestClasses.preview}>
              <strong>{preview.data.title}</strong>
              <pre className={digestClasses.words}>{preview.data.text}</pre>
            </section>
          )}
        </>
      ) : null}
    </OptionsCard>
  );
}

/** Returns the days of a week in words; 1 is Monday. */
function useWeekdays(): { value: string; label: string }[] {
  const locale = useLocale();
  const { t } = useTranslation('alerting');
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    // 1970-01-05 was a Monday.
    return [5, 6, 7, 8, 9, 10, 11].map((day, index) => ({
      value: String(index + 1),
      label: t('digest.weekly', { day: format.format(Date.UTC(1970, 0, day)) }),
    }));
  }, [locale, t]);
}
