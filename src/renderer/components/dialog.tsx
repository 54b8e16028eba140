import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from './browser/focus.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Medium if it is missing. */
  readonly size?: 'lg' | 'xl';
  readonly isFullScreen?: boolean;
  /** Neither Escape nor a click outside closes the dialog, as its content can't be shown again. */
  readonly isHeld?: boolean;
}

/** A dialog. It is mounted only while it is open. */
export function Dialog({ title, onClose, children, size, isFullScreen = false, isHeld = false }: DialogProps) {
  const { t } = useTranslation('app');
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size ?? 'md'}
      fullScreen={isFullScreen}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">{children}</Stack>
    </Modal>
  );
}

interface FooterProps {
  readonly onLeave: () => void;
  /** The label of the button that closes the dialog; "Cancel" if it is missing. */
  readonly leave?: string;
  /** Whether the button that closes the dialog has the initial focus. */
  readonly isLeaveFirst?: boolean;
  /** The dialog's main button. */
  readonly children: ReactNode;
}

/** The footer of a dialog: first the button that closes it, then its main button. */
export function DialogFooter({ onLeave, leave, isLeaveFirst = false, children }: FooterProps) {
  const { t } = useTranslation('app');
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="xs" onClick={onLeave} data-autofocus={isLeaveFirst || undefined}>
        {leave ?? t('common.cancel')}
      </Button>
      {children}
    </Group>
  );
}

interface FormDialogProps extends DialogProps {
  /** Called when the form is submitted. The page does not reload. */
  readonly onSubmit: () => void;
  /** Called when any field of the form changes. */
  readonly onChange?: () => void;
  /** The label of the button that submits; "Save" if it is missing. */
  readonly submit?: string;
  /** Whether the submit button is red, because data is deleted. */
  readonly isDanger?: boolean;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** See DialogFooter. */
  readonly leave?: string;
}

/** A dialog with one form and the buttons to submit it or to cancel. */
export function FormDialog({
  onSubmit,
  onChange,
  submit,
  isDanger,
  isPending,
  isDisabled,
  leave,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation('app');
  return (
    <Dialog {...dialog}>
      <form
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        onChange={onChange}
      >
        <Stack gap="sm">
          {dialog.children}
          <DialogFooter onLeave={dialog.onClose} {...(leave === undefined ? {} : { leave })}>
            <Button
              type="submit"
              size="xs"
              {...(isDanger === true ? { color: 'red' } : {})}
              loading={isPending ?? false}
              disabled={isDisabled ?? false}
            >
              {submit ?? t('common.save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
