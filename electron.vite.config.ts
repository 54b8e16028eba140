import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

/**
 * The renderer's files: React, what else the first page needs, Mantine's other components, what belongs to the keys, what several
 * other pages share, and then each page or dialog. Left to itself the build tool makes a file for every set of pages
 * that share something: some hundred small ones, which together compress to 15 % more.
 */
const RENDERER_FILES = [
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'first', tags: ['$initial' as const] },
  { name: 'mantine', test: /[\\/]node_modules[\\/]@mantine[\\/]/ },
  { name: 'keys', test: /[\\/]features[\\/]keys[\\/](dialogs|keyring|page|parts|unlock)[\\/]/ },
  { name: 'shared', minShareCount: 2 },
].map((group, place, { length }) => ({ ...group, priority: length - place }));

export default defineConfig({
  main: {
    build: {
      rollupOptions: {
        input: {
          index: 'src/main/index.ts',
          headless: 'src/main/headless.ts',
          // The worker threads are files of their own beside the entries; see the `new Worker` calls.
          'verify-worker': 'src/main/ingest/verify-worker.ts',
          'writer-worker': 'src/main/store/writer-worker.ts',
          'query-worker': 'src/main/owner/query-worker.ts',
          'move-worker': 'src/main/move/move-worker.ts',
          'demo-devices': 'src/simulator/demo-devices.ts',
        },
        // Shared code lies beside the entries too, so that a worker's URL is the same seen from either.
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload is CommonJS and can't load packages.
      externalizeDeps: false,
      rollupOptions: { input: 'src/preload/index.ts', output: { format: 'cjs' } },
    },
  },
  renderer: {
    root: 'src/renderer',
    // Relative addresses: the same files are served under /ui/ and by the desktop's own scheme.
    base: './',
    // Whoever serves the page puts a fresh nonce here for each response: Mantine's injected styles need one, and the
    // page is useless without them.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      minify: true,
      cssMinify: true,
      rollupOptions: {
        input: 'src/renderer/index.html',
        output: { codeSplitting: { groups: RENDERER_FILES } },
      },
    },
    worker: {
      // Modules, so that the keys' worker loads a word list only when a phrase needs it.
      format: 'es',
      rollupOptions: {
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: ({ moduleIds }) =>
            moduleIds.some((id) => id.includes('/wordlists/'))
              ? 'assets/words-[name]-[hash].js'
              : 'assets/[name]-[hash].js',
        },
      },
    },
    plugins: [react()],
  },
});
