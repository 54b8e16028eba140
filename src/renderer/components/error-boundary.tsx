import { Component, type ReactNode } from 'react';
import { forgetFailures } from '../i18n/texts.ts';
import { ErrorState } from './error-state.tsx';

interface State {
  readonly failed: { readonly error: unknown } | null;
}

/** Keeps a fault in one page from blanking the whole app; trying again mounts the page anew. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: null };

  readonly #retry = (): void => {
    forgetFailures();
    this.setState({ failed: null });
  };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    return <ErrorState error={this.state.failed.error} onRetry={this.#retry} />;
  }
}
