// Copies of stores, for backups: what the one engine there is offers.
export { prepareStore } from './sqlite/file/database.ts';
export {
  inspectCopy,
  inspectStore,
  NEWEST_VERSION,
  type StoreContents,
  snapshotBytes,
  snapshotStore,
  versionInHeader,
  versionOfStore,
} from './sqlite/file/snapshot.ts';
