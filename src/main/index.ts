import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';
import { createLog } from './log.ts';
import { type Node, startNode } from './node.ts';
import { readSettings } from './settings.ts';

// The desktop entry: the app's life cycle, nothing else.

let node: Node | undefined;

await app.whenReady();
const settings = readSettings(process.env, { dataDir: app.getPath('userData'), publicEnabled: false });
node = await startNode(settings, createLog(settings.logLevel));

const window = new BrowserWindow({
  webPreferences: { sandbox: true, contextIsolation: true, preload: join(import.meta.dirname, '../preload/index.cjs') },
});
await window.loadFile(join(import.meta.dirname, '../renderer/index.html'));

app.on('window-all-closed', () => app.quit());
app.on('before-quit', (event) => {
  if (node === undefined) return;
  event.preventDefault();
  const running = node;
  node = undefined;
  void running.stop().finally(() => app.quit());
});
