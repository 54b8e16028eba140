import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { build, type Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { findChromium, LEAN } from './e2e/support/find-chromium.ts';
import view from './electron.vite.config.ts';
import RunAloneReporter from './test/support/run-alone-reporter.ts';

// React as it is shipped: its development build costs a third more.
process.env.NODE_ENV = 'production';

const CHROMIUM = { browser: 'chromium', viewport: { width: 1440, height: 900 } } as const;
/** Functions run too seldom here to be worth the last of V8's compilers: the layer takes a tenth less without it. */
const NO_TURBOFAN = '--js-flags=--no-turbofan';
const IN_DESKTOP_APP = 'component/desktop-*.test.tsx';
/** One page for many files: to load the program for each takes more than most of their tests. */
export const IN_ONE_PAGE = { ...CHROMIUM, name: 'browser', isolate: false } as const;

/** The costs of scrypt, which `keystore.test.ts` proves. To unlock with them took a quarter of the time of the tests of keys. */
const SCRYPT_COSTS = [
  { file: '/src/shared/crypto/keystore/keystore.ts', text: 'n: 2 ** 17' },
  { file: '/src/shared/crypto/keystore/keystore-format.ts', text: 'n >= 2 ** 15' },
];
const QUICK_SCRYPT: Plugin = {
  name: 'quick-scrypt',
  enforce: 'pre',
  transform(code, id) {
    const cost = SCRYPT_COSTS.find(({ file }) => id.split('?')[0]!.endsWith(file));
    if (cost === undefined) return null;
    if (!code.includes(cost.text)) throw new Error(`${cost.file} has no "${cost.text}"`);
    return code.replace(cost.text, cost.text.replace(/\d+$/, '4'));
  },
};

const WORKER = '/src/renderer/keys/worker/keys-worker.ts';
/** Each unlocking starts the keys' worker, and to load its many modules took most of that. */
const WORKER_IN_ONE_FILE: Plugin = {
  name: 'worker-in-one-file',
  enforce: 'pre',
  async load(id) {
    if (!id.includes(`${WORKER}?worker_file`)) return null;
    const input = import.meta.dirname + WORKER;
    const output = { codeSplitting: false };
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [QUICK_SCRYPT],
      build: { write: false, minify: false, target: 'esnext', rolldownOptions: { input, output } },
    });
    if (!('output' in built)) throw new Error('the worker was built more than once');
    return built.output[0].code;
  },
};

/** Component tests: pages and widgets in a real browser, over the fake node. */
export default defineConfig({
  plugins: [react(), QUICK_SCRYPT, WORKER_IN_ONE_FILE],
  css: view.renderer?.css ?? {},
  // Without this list the server finds dependencies while tests run, and reloads the page under them.
  optimizeDeps: {
    entries: ['component/**/*.test.tsx', 'src/renderer/**/*.{ts,tsx}', 'src/shared/**/*.ts', '!**/*.test.ts'],
    include: ['axe-core'],
  },
  test: {
    reporters: ['default', new RunAloneReporter('--config vitest.component.config.ts')],
    include: ['component/**/*.test.tsx'],
    setupFiles: ['component/support/setup.ts'],
    // A page waits for a quarter of its time: one more than there are cores.
    maxWorkers: Math.max(3, availableParallelism() + 1),
    // Long for a machine that does much else; only a test that fails waits for it.
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        actionTimeout: 30_000,
        launchOptions: { executablePath: findChromium({ prefersShell: true }).path, args: [...LEAN, NO_TURBOFAN] },
        contextOptions: {
          locale: 'en-US',
          timezoneId: 'America/Sao_Paulo',
          colorScheme: 'light',
          reducedMotion: 'reduce',
        },
      }),
      instances: [
        { ...IN_ONE_PAGE, exclude: [IN_DESKTOP_APP, 'component/long/**'] },
        // They put a desktop app into the page before the program is loaded.
        { ...CHROMIUM, name: 'desktop', include: [IN_DESKTOP_APP], isolate: true },
      ],
    },
  },
});
