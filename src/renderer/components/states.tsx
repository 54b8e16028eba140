import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../api/errors.ts';
import { retryTexts } from '../texts/setup.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './states.module.css';

interface Props {
  readonly icon: IconName;
  readonly title: string;
  /** Whether this replaces a whole page, so that it has the page's heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  /** A button for the owner's next step. */
  readonly action?: ReactNode;
}

/** Says why there is nothing to show, and what the owner can do. */
export function EmptyState({ icon, title, isPage = false, children, action }: Props) {
  return (
    <Stack className={classes.state ?? ''} align="center" gap="xs">
      <span className={classes.sign}>
        <Icon name={icon} size={28} />
      </span>
      <Title order={isPage ? 1 : 2} size="h4">
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

interface ErrorProps {
  readonly error: unknown;
  readonly isPage?: boolean;
  readonly onRetry?: () => void;
}

/** Explains a failed call in words, with a button to retry. */
export function ErrorState({ error, isPage = false, onRetry }: ErrorProps) {
  const { t } = useTranslation('app');
  const code = errorCode(error);
  return (
    <div role="alert">
      <EmptyState
        icon={code === 'disconnected' ? 'unlink' : 'alert'}
        title={t(`error.${code}.title`)}
        isPage={isPage}
        action={
          onRetry === undefined ? undefined : (
            <Button variant="default" size="xs" mt="xs" leftSection={<Icon name="refresh" />} onClick={onRetry}>
              {t('common.retry')}
            </Button>
          )
        }
      >
        {t(`error.${code}.text`)}
      </EmptyState>
    </div>
  );
}

/** A placeholder while a page loads. */
export function PageLoading() {
  const { t } = useTranslation('app');
  return (
    <Stack gap="md" p="lg" role="status" aria-label={t('common.loading')}>
      <Skeleton height={28} width={220} />
      <Skeleton height={64} />
      <Skeleton height={320} />
    </Stack>
  );
}

interface State {
  readonly failed: { readonly error: unknown } | null;
}

/**
 * Shows an error in place of a page that failed, so that the rest of the app keeps working. A retry mounts the page
 * again.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: null };

  readonly #retry = (): void => {
    void retryTexts();
    this.setState({ failed: null });
  };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    return <ErrorState isPage error={this.state.failed.error} onRetry={this.#retry} />;
  }
}
