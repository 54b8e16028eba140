import '@mantine/core/styles.css';
import '../../src/renderer/styles.css';
import { beforeAll, beforeEach } from 'vitest';

// Not imported before the test file: its fake desktop app must exist when the page's modules load.
beforeAll(async () => {
  const { startI18n } = await import('../../src/renderer/texts/setup.ts');
  await startI18n({ language: 'en' });
});
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
