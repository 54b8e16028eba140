/** Why a backup, a check or a restore did not come about. */
export const CARE_FAULTS = [
  /** The file is no backup of this program. */
  'not_a_backup',
  /** There is no such file. */
  'no_file',
  /** Some of it is not as it was written. */
  'damaged',
  /** A newer version made it. */
  'newer',
  /** It is encrypted, and nothing was given that could open it. */
  'needs_key',
  'needs_passphrase',
  /** The given key does not open it. */
  'wrong_key',
  'wrong_passphrase',
  /** The folder for backups is not there, or is another one than was chosen: its disk is not connected. */
  'no_folder',
  /** The folder for backups is that of the node which this one was restored from. */
  'other_node',
  'no_room',
  /** The system refuses to read or write. */
  'refused',
  /** The node's own data is not as it should be: a backup of it would be worth nothing. */
  'bad_data',
  /** Another backup, check or restore is under way, or a node runs on the folder. */
  'busy',
  /** The folder has data, and it was not said that this is to be replaced. */
  'not_empty',
  /** There is nothing to put back. */
  'nothing_kept',
  'cancelled',
] as const;
export type CareFault = (typeof CARE_FAULTS)[number];
