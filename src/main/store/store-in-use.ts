/** A store can't be moved now because nodes or another move use it. The message names them and the remedy. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse';
}
