import { expect, test } from 'vitest';
import { hostPort } from './host-port.ts';

test('writes an address and a port as in a URL', () => {
  expect(hostPort('192.168.1.5', 8080)).toBe('192.168.1.5:8080');
  expect(hostPort('fd00::2', 8080)).toBe('[fd00::2]:8080');
  expect(hostPort('fe80::1%eth0', 8080)).toBe('[fe80::1%25eth0]:8080');
});
