import type { ChannelFault } from '../../../shared/alerts/faults.ts';
import { ChannelError } from './channel.ts';

const FAULTS: Readonly<Record<string, ChannelFault>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  CERT_UNTRUSTED: 'certificate_untrusted',
};

/** Translates a failed connection to a ChannelError; the codes are those of Node and OpenSSL. */
export function netError(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error;
  const { code = '', name, errors } = error as NodeJS.ErrnoException & { errors?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR') {
    return new ChannelError('timeout', 'no whole answer in time');
  }
  // The name has several addresses: the first error says as much as the others.
  if (code === '' && Array.isArray(errors) && errors.length > 0) return netError(errors[0]);
  const isTls = /^(?:ERR_SSL|ERR_TLS|EPROTO|CERT_|HOSTNAME_)/.test(code);
  return new ChannelError(FAULTS[code] ?? (isTls ? 'tls' : 'unreachable'), code === '' ? 'the connection broke' : code);
}
