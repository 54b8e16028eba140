import '@mantine/core/styles.css';
import '../../src/renderer/styles.css';
import { beforeAll, beforeEach } from 'vitest';
import { startI18n } from '../../src/renderer/texts/setup.ts';

beforeAll(() => startI18n({ language: 'en' }));
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
