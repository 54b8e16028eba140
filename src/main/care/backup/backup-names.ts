import type { Encryption } from '../archive/encryption.ts';
import type { BackupReason } from '../archive/manifest.ts';

/** The facts in the name of a backup. */
export interface NamedBackup {
  readonly name: string;
  /** The first 8 hex digits of the node's key. */
  readonly node: string;
  /** Unix milliseconds, to the second. */
  readonly madeAt: number;
  /** Distinguishes backups of the same second; the first is 1. */
  readonly place: number;
  /** Whether it was made before a migration or an upgrade. */
  readonly isBefore: boolean;
}

const NAME =
  /^wellhouse-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-before-(?:migration|upgrade))?(?:-(\d{1,3}))?\.tar\.zst(?:\.age)?$/;

/** Returns the name for a backup of a node. `place` distinguishes backups of the same second; the first is 1. */
export function backupName(
  publicKey: string,
  madeAt: Date,
  reason: BackupReason,
  encryption: Encryption,
  place = 1,
): string {
  const time = `${madeAt.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const before = reason === 'migration' || reason === 'upgrade' ? `-before-${reason}` : '';
  return `wellhouse-${publicKey.slice(0, 8)}-${time}${before}${place === 1 ? '' : `-${place}`}.tar.zst${encryption === 'none' ? '' : '.age'}`;
}

/** Returns the facts in a name; null if it is not the name of a backup. */
export function readBackupName(name: string): NamedBackup | null {
  const match = NAME.exec(name);
  if (match === null) return null;
  const [, node, year, month, day, hour, minute, second, before, place = '1'] = match;
  const madeAt = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return { name, node: node!, madeAt, place: Number(place), isBefore: before !== undefined };
}
