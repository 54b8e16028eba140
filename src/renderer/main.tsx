import '@mantine/core/styles.css';
import './styles.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/errors.ts';
import { keptInApp } from './api/keep-in-app.ts';
import { startLive, startOtherNodes } from './api/live.ts';
import { reloadForMissingParts } from './api/missing-parts.ts';
import { connectToOwnNode } from './api/node-connection.ts';
import { prefetchChoices } from './api/queries/choices.ts';
import { createQueryClient } from './api/queries/client.ts';
import { prefetchOverview } from './api/queries/overview.ts';
import { App } from './app.tsx';
import { showNotice } from './notify.ts';
import { Providers } from './providers.tsx';
import { showNoTexts } from './texts/no-texts.ts';
import { startI18n } from './texts/setup.ts';
import { takeColorScheme } from './theme.ts';

// The content security policy only allows styles with this response's nonce. Mantine and the scroll lock of its dialogs
// add style elements.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
if (nonce !== '') setNonce(nonce);

const keptView = keptInApp();
void dropServiceWorkers();
const node = await connectToOwnNode();
const client = createQueryClient();
// The first requests run while the texts load.
if (node.sessionState() === 'ready') {
  prefetchOverview(client, node);
  prefetchChoices(client, node);
}
startOtherNodes(client, node);
startLive(client, node, (notice) => void showNotice(notice, node));
reloadForMissingParts(node);
const ofApp = await keptView;
if (ofApp !== null) takeColorScheme(ofApp.theme);

const root = document.getElementById('root')!;
startI18n(ofApp).then(render, () => showNoTexts(root));

function render(): void {
  createRoot(root, { onRecoverableError }).render(
    <StrictMode>
      <Providers client={client} node={node} nonce={nonce}>
        <App />
      </Providers>
    </StrictMode>,
  );
}

/**
 * Reports the cause of a rendering that failed once and succeeded when React repeated it. Texts that were loaded in
 * between are no error.
 */
function onRecoverableError(error: unknown): void {
  const { cause = error } = error as Error;
  if (!(cause instanceof ApiError)) reportError(cause);
}

/**
 * Removes all service workers and caches of this origin. Wellhouse has none; any that exist were left by another
 * program that used the node's port.
 */
async function dropServiceWorkers(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister().catch(() => false)));
  if (!('caches' in window)) return;
  for (const name of await caches.keys().catch(() => [])) await caches.delete(name).catch(() => false);
}
