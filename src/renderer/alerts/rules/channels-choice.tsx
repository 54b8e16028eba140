import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChannelConfig } from '../../../shared/alerts/channel.ts';
import type { Rule } from '../../../shared/alerts/rule.ts';
import { useAlertChannels } from '../../api/queries/alerts.ts';

interface Props {
  readonly value: Rule['channels'];
  readonly onChange: (value: Rule['channels']) => void;
}

/** The choice of channels for a rule's messages: every channel, or those that are ticked. */
export function ChannelsChoice({ value, onChange }: Props) {
  const { t } = useTranslation('alerting');
  const channels = (useAlertChannels().data ?? []).map(({ channel }) => channel);
  return (
    <Stack gap={6}>
      <NativeSelect
        size="sm"
        label={t('rule.channels')}
        value={value === 'all' ? 'all' : 'some'}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === 'all' ? 'all' : channels.filter(({ isOn }) => isOn).map(({ id }) => id))
        }
        data={[
          { value: 'all', label: t('rule.allChannels') },
          { value: 'some', label: t('rule.someChannels') },
        ]}
      />
      {value === 'all' ? null : channels.length === 0 ? (
        <Text size="xs" c="dimmed">
          {t('rule.noChannels')}
        </Text>
      ) : (
        channels.map((channel) => (
          <Checkbox
            key={channel.id}
            size="sm"
            label={channelName(channel, t(`kind.${channel.target.kind}`))}
            checked={value.includes(channel.id)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...value, channel.id] : value.filter((id) => id !== channel.id))
            }
          />
        ))
      )}
    </Stack>
  );
}

/** Returns the name of a channel; `kind` if the owner gave it no name. */
export function channelName({ name }: Pick<ChannelConfig, 'name'>, kind: string): string {
  return name === '' ? kind : name;
}
