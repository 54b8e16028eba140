import { lazy, Suspense } from 'react';
import { useDamagedFiles } from '../../api/queries/damaged-files.ts';

const DamagedBanner = lazy(() => import('./damaged-banner.tsx'));
const MissingStoreBanner = lazy(() => import('./missing-store-banner.tsx'));

/** On every page of the owner: a banner for each file of the data folder that was damaged, and for each store that is missing. */
export function DamagedNotice() {
  const files = useDamagedFiles().data?.files ?? [];
  if (files.length === 0) return null;
  return (
    <Suspense>
      {files.map((file) =>
        file.whole === 'missing' ? (
          <MissingStoreBanner key={file.id} file={file} />
        ) : (
          <DamagedBanner key={file.id} file={file} />
        ),
      )}
    </Suspense>
  );
}
