declare module 'sodium-native' {
  const sodium: {
    /** Strict Ed25519: canonical encodings, S below the group order, no small-order points. */
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  };
  export default sodium;
}
