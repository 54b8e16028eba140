import '@mantine/core/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { getApi, isDesktop } from './api/client.ts';
import { keptInApp } from './api/keep-in-app.ts';
import { reloadForMissingParts } from './api/missing-parts.ts';
import { createQueryClient, prefetchOverview, startLive } from './api/queries.ts';
import { currentSession, startSession } from './api/session.ts';
import { App } from './app.tsx';
import { startI18n } from './i18n/setup.ts';
import { showNoTexts } from './no-texts.ts';
import { colorSchemeManager, cssVariablesResolver, takeColorScheme, theme } from './theme.ts';

// The policy allows styles with this response's nonce alone; Mantine and the scroll lock of its dialogs inject some.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
if (nonce !== '') setNonce(nonce);

const keptView = keptInApp();
startSession();
const client = createQueryClient();
// The first answer is on its way while the texts still load.
if (isDesktop() || currentSession() === 'ready') prefetchOverview(client);
startLive(client, getApi());
reloadForMissingParts();
const ofApp = await keptView;
if (ofApp !== null) takeColorScheme(ofApp.theme);

const root = document.getElementById('root')!;
startI18n(ofApp).then(render, () => showNoTexts(root));

function render(): void {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        cssVariablesResolver={cssVariablesResolver}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={client}>
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
