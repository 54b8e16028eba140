/** The IPC channels between the page and the main process. */
export const CHANNELS = {
  ownerCall: 'owner:call',
  ownerEvent: 'owner:event',
  isConnected: 'owner:is-connected',
  connection: 'owner:connection',
  desktopCall: 'desktop:call',
  desktopEvent: 'desktop:event',
  osWrapAvailable: 'os-wrap:available',
  osWrap: 'os-wrap:wrap',
  osUnwrap: 'os-wrap:unwrap',
} as const;
