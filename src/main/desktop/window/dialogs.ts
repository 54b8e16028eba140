import { app, type BrowserWindow, clipboard, dialog, shell } from 'electron';
import type { DesktopTexts } from '../../common/texts.ts';
import { VERSION } from '../../common/version.ts';

function ask(
  window: BrowserWindow | null,
  options: Electron.MessageBoxOptions,
): Promise<Electron.MessageBoxReturnValue> {
  return window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options);
}

/** Opens an https address in the owner's browser, after asking; resolves with whether it was opened. */
export async function openLink(url: string, window: BrowserWindow | null, t: DesktopTexts): Promise<boolean> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return false;
  const { href } = new URL(url);
  const { response } = await ask(window, {
    type: 'question',
    message: t('link.question'),
    detail: href,
    buttons: [t('link.open'), t('link.cancel')],
    defaultId: 1,
    cancelId: 1,
  });
  if (response !== 0) return false;
  await shell.openExternal(href);
  return true;
}

/** Asks for the effect of closing the window from now on; null if the owner cancels. */
export async function askCloseBehaviour(
  window: BrowserWindow | null,
  t: DesktopTexts,
): Promise<'tray' | 'quit' | null> {
  const { response } = await ask(window, {
    type: 'question',
    message: t('close.question'),
    detail: t('close.detail'),
    buttons: [t('close.toTray'), t('close.quit'), t('close.cancel')],
    defaultId: 0,
    cancelId: 2,
  });
  return (['tray', 'quit', null] as const)[response] ?? null;
}

/** Shows versions and the node's public key. */
export async function showAbout(
  window: BrowserWindow | null,
  t: DesktopTexts,
  publicKey: string | null,
): Promise<void> {
  const { electron, chrome, node } = process.versions;
  const lines = [
    `Electron ${electron} · Chromium ${chrome} · Node ${node}`,
    `${process.platform} ${process.arch}`,
    '',
    t('about.nodeKey'),
    publicKey ?? t('about.noKey'),
  ];
  const { response } = await ask(window, {
    type: 'info',
    title: app.getName(),
    message: t('about.version', { version: VERSION }),
    detail: lines.join('\n'),
    buttons: [t('about.close'), t('about.copy')],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) clipboard.writeText([t('about.version', { version: VERSION }), ...lines].join('\n'));
}
