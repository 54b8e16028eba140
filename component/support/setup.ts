import '@mantine/core/styles.css';
import '../../src/renderer/styles.css';
import { beforeAll, beforeEach } from 'vitest';

// Not before the test file: its fake desktop app has to be there when the page's modules are loaded.
beforeAll(async () => {
  const { startI18n } = await import('../../src/renderer/texts/setup.ts');
  await startI18n({ language: 'en' });
});
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
