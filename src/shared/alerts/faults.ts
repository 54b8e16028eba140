/** Why a message could not be handed to a channel. The words belong to the catalogue: `fault.<name>`. */
export const CHANNEL_FAULTS = [
  /** The name leads to no address. */
  'dns',
  /** Nobody takes connections at that address and port. */
  'refused',
  /** The network, or the way through it, is at fault: unreachable, or the connection broke. */
  'unreachable',
  /** No whole answer within the time that is given. */
  'timeout',
  'certificate_expired',
  /** Self-signed, or by an issuer that this machine does not know. */
  'certificate_untrusted',
  /** The certificate is for another name. */
  'certificate_name',
  /** Encryption can't be agreed on; of mail also: the server offers none. */
  'tls',
  /** The server answers that it is elsewhere, which is not followed. */
  'redirect',
  /** Token, password or permission. */
  'unauthorized',
  /** The address, the topic or the chat does not exist. */
  'not_found',
  /** The server understood, and does not take the message. */
  'rejected',
  /** Too many messages for the server's taste. */
  'busy',
  /** The server says that it is at fault itself. */
  'server',
  /** The server that answers there does not speak the channel's protocol. */
  'unexpected',
  /** Unencrypted mail is for this machine and the LAN, and the server's address is neither. */
  'plain_beyond_lan',
  /** The channel needs a secret that is not there. */
  'no_secret',
  /** No window and no tab is open that could show it. */
  'no_view',
  /** Windows or tabs are open, and none shows notifications. */
  'not_shown',
] as const;
export type ChannelFault = (typeof CHANNEL_FAULTS)[number];
