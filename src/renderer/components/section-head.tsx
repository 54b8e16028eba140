import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** The id of the title, which the section's `aria-labelledby` names. */
  readonly id: string;
  readonly title: string;
  /** The controls at the right, on narrow screens below the title. */
  readonly children?: ReactNode;
}

/** The title of a section of a page, with its controls. */
export function SectionHead({ id, title, children }: Props) {
  return (
    <Group justify="space-between" gap="xs">
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {children}
    </Group>
  );
}
