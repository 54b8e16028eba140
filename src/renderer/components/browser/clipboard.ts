/** How long a secret stays on the clipboard, in milliseconds. */
const SECRET_MS = 60_000;

let timer = 0;

/** Copies a text. Rejects where the browser does not let a page copy: away from localhost without TLS it has no clipboard. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard === undefined) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
  window.clearTimeout(timer);
}

/**
 * Copies a secret, and empties the clipboard after a minute unless this page copied something else since. A page may not
 * look at what other programs put there meanwhile, so that goes too.
 */
export async function copySecret(text: string): Promise<void> {
  await copyText(text);
  timer = window.setTimeout(() => void empty(), SECRET_MS);
}

async function empty(): Promise<void> {
  try {
    await navigator.clipboard.writeText('');
  } catch {
    // Only a page in focus may write.
    window.addEventListener('focus', () => void empty(), { once: true });
  }
}
