import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './state.module.css';

interface Props {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** What the owner can do about it: buttons. */
  readonly action?: ReactNode;
}

/** Says why there is nothing to see here, and what would change that. */
export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <Stack className={classes.state ?? ''} align="center" gap="xs">
      <span className={classes.sign}>
        <Icon name={icon} size={28} />
      </span>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children === undefined ? null : (
        <Text component="div" c="dimmed" size="sm" maw={520}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
