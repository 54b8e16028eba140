/** Why a backup, a check or a restore failed. */
export const CARE_FAULTS = [
  /** The file is not a Wellhouse backup. */
  'not_a_backup',
  /** There is no such file. */
  'no_file',
  /** Part of the file was changed or lost. */
  'damaged',
  /** A newer version of Wellhouse made the file. */
  'newer',
  /** The file is encrypted, and no key or passphrase was given. */
  'needs_key',
  'needs_passphrase',
  /** The given key does not open the file. */
  'wrong_key',
  'wrong_passphrase',
  /** The backup folder is missing or is not the chosen one: its disk is not connected. */
  'no_folder',
  /** The backup folder belongs to the node that this node was restored from. */
  'other_node',
  'no_room',
  /** The system refuses to read or write. */
  'refused',
  /** The node's own data is damaged: a backup of it would be useless. */
  'bad_data',
  /** Another backup, check or restore is running, or a node uses the folder. */
  'busy',
  /** The folder has data, and the caller did not ask to replace it. */
  'not_empty',
  /** There is no earlier data to put back. */
  'nothing_kept',
  'cancelled',
] as const;
export type CareFault = (typeof CARE_FAULTS)[number];
