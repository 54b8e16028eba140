/** The error texts of the protocol, exactly as in the specification and its decisions. */

/** The `error` member of a failed response, with the status of the response. */
export const ERROR_STATUS = {
  validation_error: 400,
  invalid_json: 400,
  bad_request: 400,
  unauthorized: 401,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  forwarded_request: 403,
  joining_closed: 403,
  'Device not found': 404,
  not_found: 404,
  method_not_allowed: 405,
  device_already_exists: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  storage_unavailable: 503,
  device_limit_reached: 503,
} as const;

export type ErrorText = keyof typeof ERROR_STATUS;

/** One schema issue: its place in the body and its message. */
export interface ValidationIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly code: string;
}

/** The body of every failed response. */
export interface ErrorBody {
  readonly error: ErrorText;
  readonly details?: readonly ValidationIssue[];
}

/** One failed block of a batch. */
export interface BlockError {
  readonly seq: string;
  readonly error: string;
}

export const invalidBlock = (field: string, reason: string): string => `Invalid block: ${field}: ${reason}`;
export const deviceNotFound = (deviceId: string): string => `Device not found: ${deviceId}`;
export const invalidSignature = (deviceId: string): string => `Invalid signature for device ${deviceId}`;
export const rawJsonMismatch = (deviceId: string): string => `Raw/JSON mismatch for device ${deviceId}`;
