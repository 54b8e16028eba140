/** The reasons why a call to another node can fail. */
export const FAULTS = [
  'unreachable',
  'not_a_door',
  'certificate',
  'time',
  'token',
  'code',
  'slow_down',
  'other_node',
  /** The right node sent an answer that this version does not understand. */
  'version',
] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * A failed connection or call to another node. Its message is for a log: it never contains a token, a code or a value.
 */
export class NodeFault extends Error {
  override readonly name = 'NodeFault';
  readonly fault: Fault;

  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** OpenSSL's codes for a certificate that the pinned one did not sign. */
const NOT_PINNED = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
const NOT_NOW = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

/** Converts an error of the network or of TLS to a NodeFault. */
export function faultOf(error: unknown): NodeFault {
  if (error instanceof NodeFault) return error;
  const { code = '', name } = error as { code?: string; name?: string };
  if (NOT_PINNED.has(code)) return new NodeFault('certificate', code);
  if (NOT_NOW.has(code)) return new NodeFault('time', code);
  return new NodeFault('unreachable', code || name || 'no connection');
}
