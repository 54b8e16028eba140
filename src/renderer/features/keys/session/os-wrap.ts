/**
 * The desktop's second way into the keystore: its secret storage seals the keystore's data key (32 bytes) for the
 * account at hand. The desktop puts it beside the owner API, as `window.owner.osWrap`; the browser home has none. What
 * `wrap` gives (1 to 4096 bytes) is kept in the keystore's header and is all that `unwrap` gets.
 */
export interface OsWrap {
  /** Whether the secret storage can be used and does protect: false where it would only obscure. */
  available(): Promise<boolean>;
  wrap(dataKey: Uint8Array): Promise<Uint8Array>;
  /** Rejects where these bytes are of another machine, account or secret storage. */
  unwrap(bytes: Uint8Array): Promise<Uint8Array>;
}

/** The desktop's secret storage; null in a browser. */
export function osWrap(): OsWrap | null {
  return (window.owner as { readonly osWrap?: OsWrap } | undefined)?.osWrap ?? null;
}

/** The data key in what the system made of it; null where it does not open it, or there is no such system. */
export async function unwrapped(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    return (await osWrap()?.unwrap(bytes)) ?? null;
  } catch {
    return null;
  }
}

/** What the system makes of a data key, which is overwritten; null where there is no such system. */
export async function wrapped(dataKey: Uint8Array): Promise<Uint8Array | null> {
  try {
    return (await osWrap()?.wrap(dataKey)) ?? null;
  } finally {
    dataKey.fill(0);
  }
}
