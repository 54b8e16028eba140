import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  /** The label of the button that closes the dialog. */
  readonly leave: string;
  readonly onLeave: () => void;
  /** The dialog's main button. */
  readonly children: ReactNode;
}

/** The footer of a dialog: first the button that closes it, then its main button. */
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
