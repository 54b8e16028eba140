/** How long a secret stays on the clipboard, in milliseconds. */
const SECRET_MS = 60_000;

let timer = 0;

/** Copies a text. Rejects if the page may not copy: without TLS, a page that is not on localhost has no clipboard. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard === undefined) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
  window.clearTimeout(timer);
}

/**
 * Copies a secret, and clears the clipboard after a minute unless this page copied something else since. A page can't
 * read the clipboard, so text that another program copied meanwhile is cleared too.
 */
export async function copySecret(text: string): Promise<void> {
  await copyText(text);
  timer = window.setTimeout(() => void empty(), SECRET_MS);
}

async function empty(): Promise<void> {
  try {
    await navigator.clipboard.writeText('');
  } catch {
    // Only a focused page may write to the clipboard.
    window.addEventListener('focus', () => void empty(), { once: true });
  }
}
