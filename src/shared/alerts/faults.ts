/** Why a channel did not accept a message. The text catalogue has the words: `fault.<name>`. */
export const CHANNEL_FAULTS = [
  /** The name has no address. */
  'dns',
  /** Nothing accepts connections at that address and port. */
  'refused',
  /** A network fault: the server is unreachable, or the connection broke. */
  'unreachable',
  /** There was no complete answer within the timeout. */
  'timeout',
  'certificate_expired',
  /** The certificate is self-signed, or this machine does not know its issuer. */
  'certificate_untrusted',
  /** The certificate is for another name. */
  'certificate_name',
  /** The two sides can't agree on encryption, or a mail server offers none. */
  'tls',
  /** The server answers with a redirect, which the node does not follow. */
  'redirect',
  /** The token, the password or the permission is wrong. */
  'unauthorized',
  /** The address, the topic or the chat does not exist. */
  'not_found',
  /** The server understood the message and refuses it. */
  'rejected',
  /** The server refuses because there are too many messages. */
  'busy',
  /** The server reports an error of its own. */
  'server',
  /** The server does not speak the channel's protocol. */
  'unexpected',
  /** Unencrypted mail is allowed only to this machine and the LAN, and the server is in neither. */
  'plain_beyond_lan',
  /** The channel needs a secret that is missing. */
  'no_secret',
  /** No open window or tab could show it. */
  'no_view',
  /** Windows or tabs are open, but none shows notifications. */
  'not_shown',
] as const;
export type ChannelFault = (typeof CHANNEL_FAULTS)[number];
