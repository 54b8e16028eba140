import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { derivedId } from './derived-id.ts';

it('is a UUID of version 8 from the hash of its purpose', () => {
  for (let number = 0; number < 64; number += 1) {
    const hash = createHash('sha256').update(`alert ${number}`).digest('hex');
    const id = derivedId(`alert ${number}`);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const without = (text: string) => `${text.slice(0, 12)}${text.slice(13, 16)}${text.slice(17, 32)}`;
    expect(without(id.replaceAll('-', ''))).toBe(without(hash));
    expect(Number.parseInt(id[19]!, 16) & 3).toBe(Number.parseInt(hash[16]!, 16) & 3);
  }
});
