/** The longest label of a secret, in characters; the keystore takes no more. */
export const LABEL_LENGTH = 200;

/** So many devices are named before the rest is counted. */
export const NAMED_DEVICES = 8;
