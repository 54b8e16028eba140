import { findChromium } from './find-chromium.ts';

/** Finds the browser once, before any test, and says which it is; the workers inherit its path. */
export default function globalSetup(): void {
  try {
    const { path, version, from } = findChromium();
    process.env.WELLHOUSE_E2E_CHROMIUM = path;
    console.log(`e2e: ${version} at ${path} (${from})`);
  } catch (error) {
    // Without the stack of a crash: one line that says what is missing.
    console.error(`e2e: ${(error as Error).message}`);
    process.exit(1);
  }
}
