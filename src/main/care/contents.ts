import type { BackupContents } from '../../shared/owner-api/backups.ts';
import type { StoreSummary } from './archive/manifest.ts';
import type { Unpacked } from './restore/unpack.ts';

/** Returns the contents of a backup for the page. */
export function contentsOf({
  manifest,
  isOlder,
  active,
}: Pick<Unpacked, 'manifest' | 'isOlder' | 'active'>): BackupContents {
  const { madeAt, program, node, stores } = manifest;
  const held = ({ devices, readings, lastReceivedAt }: StoreSummary) => ({ devices, readings, lastReceivedAt });
  return {
    madeAt: Date.parse(madeAt),
    program,
    ...node,
    private: held(stores.private),
    public: stores.public === null ? null : held(stores.public),
    isOlder,
    active: [...active],
  };
}
