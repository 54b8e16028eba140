import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { compressPage } from './scripts/compress-page.ts';

/**
 * The renderer's files: the code of the first page, code that several other pages share, and a file for each page and
 * dialog. Without these groups, the build makes a file for every set of pages that share something: fifty of them before
 * the first page. The schemas that some forms use, and their library, are a file of their own.
 */
const RENDERER_FILES = [
  { name: 'first', tags: ['$initial' as const], priority: 3 },
  { name: 'schemas', test: /[\\/](?:node_modules[\\/]zod|shared[\\/]alerts[\\/]channel\.ts)/, priority: 2 },
  // Named for bench/ui-size.ts.
  {
    debugName: 'dictionaries',
    name: (id: string) => /zxcvbn-ts[\\/]language-([\w-]+)/.exec(id)?.[1]?.replace(/^/, 'dictionary-'),
    priority: 2,
  },
  // Large, and needed only on the page of a device with a location.
  { name: 'h3', test: /node_modules[\\/]h3-js/, priority: 2 },
  { name: 'shared', minShareCount: 2, priority: 1 },
];

/** Packages that Fastify loads for JSON schemas and for requests without a socket. No listener has either. */
const UNUSED = new Set(['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']);

export default defineConfig({
  main: {
    plugins: [
      {
        name: 'unused-packages',
        enforce: 'pre',
        resolveId: (id) => (UNUSED.has(id) ? `\0${id}` : null),
        load: (id) => (UNUSED.has(id.slice(1)) ? `throw new Error('${id.slice(1)} is not part of the build');` : null),
      },
    ],
    build: {
      // Every start loads these packages. Reading hundreds of small files would take a third of a start.
      externalizeDeps: {
        exclude: [
          '@fastify/websocket',
          '@noble/hashes',
          'commander',
          'fastify',
          'i18next',
          'pino',
          'ws',
          'zod',
          'zod-openapi',
        ],
      },
      rollupOptions: {
        input: {
          index: 'src/main/index.ts',
          headless: 'src/main/headless.ts',
          wellhouse: 'src/main/wellhouse.ts',
          // The worker threads are files of their own beside the entries; see the `new Worker` calls.
          'verify-worker': 'src/main/store/verifier/verify-worker.ts',
          'writer-worker': 'src/main/store/sqlite/write/writer-worker.ts',
          'query-worker': 'src/main/owner/queries/thread/query-worker.ts',
          'move-worker': 'src/main/data-folder/move/move-worker.ts',
          'care-worker': 'src/main/care/thread/care-worker.ts',
          'demo-devices': 'src/simulator/demo-devices.ts',
        },
        // Shared code lies beside the entries too, so that a worker's URL is the same seen from either.
        output: {
          chunkFileNames: '[name]-[hash].js',
          // V8 keeps the source of a file that has a character beyond Latin-1 with two bytes for each character.
          charset: 'ascii',
          // Spaces cost a tenth of a start; names stay, for the log's stack traces.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
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
    // The server of the page puts a new nonce here for each response. Mantine's injected styles need one.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      minify: true,
      cssMinify: true,
      // The word lists of passphrases are that large. Only the choice of a passphrase loads them.
      chunkSizeWarningLimit: 1500,
      rollupOptions: {
        // Most of a build is the compression of its files.
        checks: { bundlerTimings: false },
        input: 'src/renderer/index.html',
        output: {
          codeSplitting: { groups: RENDERER_FILES },
          // The files of all languages have the same names; the language is their folder.
          assetFileNames: ({ originalFileNames: [file = ''] }) => {
            const language = /\/texts\/([\w-]+)\/\w+\.json$/.exec(file)?.[1];
            return language === undefined
              ? 'assets/[name]-[hash][extname]'
              : `assets/[name].${language}-[hash][extname]`;
          },
        },
      },
    },
    worker: {
      // Modules let the keys' worker load a word list only when a phrase needs it.
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
    css: {
      postcss: {
        plugins: [
          {
            // Rules that a CSS module composes from another file have no source, and Vite warns about them.
            postcssPlugin: 'composed-sources',
            OnceExit(root) {
              const { source } = root;
              if (source === undefined) return;
              root.walkDecls((declaration) => {
                if (declaration.source?.input.file === undefined) declaration.source = source;
              });
            },
          },
        ],
      },
    },
    plugins: [react(), compressPage()],
  },
});
