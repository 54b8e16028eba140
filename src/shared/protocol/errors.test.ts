import { expect, it } from 'vitest';
import { deviceNotFound, invalidBlock, invalidSignature, rawJsonMismatch } from './errors.ts';

// The texts are part of the protocol: clients compare them.
it('has the specification’s exact texts for errors of blocks', () => {
  expect(deviceNotFound('ab12')).toBe('Device not found: ab12');
  expect(invalidSignature('ab12')).toBe('Invalid signature for device ab12');
  expect(rawJsonMismatch('ab12')).toBe('Raw/JSON mismatch for device ab12');
  expect(invalidBlock('seq', 'must be a decimal string')).toBe('Invalid block: seq: must be a decimal string');
});
