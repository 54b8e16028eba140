/** Members of blocks as sent, before any rule has checked them. */

/** Returns the device ids that the blocks name, each once, in lowercase. */
export function deviceIdsOf(blocks: readonly unknown[]): Set<string> {
  const ids = new Set(blocks.map(deviceIdOf));
  ids.delete('');
  return ids;
}

/** Returns the device id that a block names, in lowercase; empty if it is not a string. */
export function deviceIdOf(sent: unknown): string {
  const id = member(sent, 'deviceId');
  return typeof id === 'string' ? id.toLowerCase() : '';
}

function member(sent: unknown, name: string): unknown {
  return typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[name] : undefined;
}

/** Returns the block's seq as sent; empty if it was not a string. */
export function echoedSeq(sent: unknown): string {
  const seq = member(sent, 'seq');
  return typeof seq === 'string' ? seq : '';
}

/** Returns the device id that a block names, in lowercase; empty if it is not well-formed. */
export function echoedDeviceId(sent: unknown): string {
  const id = deviceIdOf(sent);
  return /^[0-9a-f]{64}$/.test(id) ? id : '';
}
