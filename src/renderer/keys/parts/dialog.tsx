import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../../components/browser/focus.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Neither Escape nor a click outside closes it, since what it shows can't be shown again. */
  readonly isHeld?: boolean;
}

/** A dialog of the keys' page; mounted only while it is open. */
export function Dialog({ title, onClose, children, isHeld = false }: Props) {
  const { t } = useTranslation('keys');
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {children}
    </Modal>
  );
}
