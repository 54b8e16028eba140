import type { BrokerFault } from '../../../shared/owner-api/connections.ts';

/** The reason why there is no connection to the broker: a fault for the owner, and the original message. */
export class BrokerError extends Error {
  readonly fault: BrokerFault;

  constructor(fault: BrokerFault, detail: string) {
    super(detail);
    this.fault = fault;
  }
}

const FAULTS: Readonly<Record<string, BrokerFault>> = {
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  EAI_FAIL: 'name',
  EAI_NODATA: 'name',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  CERT_HAS_EXPIRED: 'certificate',
  CERT_NOT_YET_VALID: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
  CERT_UNTRUSTED: 'certificate',
};
/** The codes for a refused login in MQTT 3.1.1 (4, 5) and in MQTT 5. */
const LOGIN_CODES: ReadonlySet<unknown> = new Set([4, 5, 134, 135]);

/**
 * Converts an error of a connection to a BrokerError. The text never contains a password, since the library's messages
 * have none.
 */
export function brokerError(error: unknown): BrokerError {
  if (error instanceof BrokerError) return error;
  const { code = '', message = '', errors } = error as { code?: unknown; message?: string; errors?: unknown };
  if (LOGIN_CODES.has(code)) return new BrokerError('login', message);
  // A name may have several addresses: the first error is as good as the others.
  if (code === '' && Array.isArray(errors) && errors.length > 0) return brokerError(errors[0]);
  const text = String(code);
  const isTls = /^(?:ERR_SSL|ERR_TLS|EPROTO|CERT_|HOSTNAME_)/.test(text);
  return new BrokerError(FAULTS[text] ?? (isTls ? 'tls' : 'other'), message || text || 'the connection broke');
}
