import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** What the button that leaves the dialog says. */
  readonly leave: string;
  readonly onLeave: () => void;
  /** The button that does what the dialog is for. */
  readonly children: ReactNode;
}

/** The end of a dialog: the way out, then what it is for. */
export function DialogFooter({ leave, onLeave, children }: Props) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="xs" onClick={onLeave}>
        {leave}
      </Button>
      {children}
    </Group>
  );
}
