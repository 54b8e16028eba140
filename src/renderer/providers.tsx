import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type NodeConnection, NodeProvider } from './api/node-connection.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './theme.ts';

interface ProvidersProps {
  readonly client: QueryClient;
  /** The node that served the page. */
  readonly node: NodeConnection;
  /** The nonce that styles need under the content security policy; empty if there is no policy. */
  readonly nonce: string;
  readonly children: ReactNode;
}

/** The providers that every component of the view needs: the theme, the cache of answers and the node. */
export function Providers({ client, node, nonce, children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariablesResolver}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <NodeProvider value={node}>{children}</NodeProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
