import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useKeys } from '../../../keys/session/page-keys.ts';

const RestoreDialog = lazy(() => import('../dialogs/restore-dialog.tsx'));

/** The keystore to restore: the version before the last write, or a file that the owner chooses. */
type Source = 'previous' | 'file';

/**
 * Returns the restore dialog and a function that opens it. `replaces` means that an existing keystore would be
 * replaced.
 */
export function useRestore(replaces: boolean): { restore: (source: Source) => void; dialog: ReactNode } {
  const [source, setSource] = useState<Source | null>(null);
  const keySession = useKeys();
  const bytes = source === 'previous' ? keySession.previous() : null;
  const dialog =
    source === null ? null : (
      <Suspense fallback={null}>
        <RestoreDialog bytes={bytes} replaces={replaces} onClose={() => setSource(null)} />
      </Suspense>
    );
  return { restore: setSource, dialog };
}
