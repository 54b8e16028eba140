import { describe, expect, it } from 'vitest';
import { tokenIn } from './session.ts';

const TOKEN = 'rRjXb-_AJMdall9dS_1Youqq6asH-kJCrX4rNTI_rBA';

describe('tokenIn', () => {
  it('finds the token in any pasted part of the link', () => {
    for (const text of [
      `http://127.0.0.1:3001/ui/#token=${TOKEN}`,
      ` http://localhost:8080/ui/#token=${TOKEN}\n`,
      `#token=${TOKEN}`,
      `http://127.0.0.1:3001/ui/#/settings?token=${TOKEN}`,
      `token=${TOKEN}`,
      TOKEN,
    ]) {
      expect(tokenIn(text), text).toBe(TOKEN);
    }
  });

  it('finds no token in other text', () => {
    for (const text of ['', 'http://127.0.0.1:3001/ui/', '#token=', '#token=short', `${TOKEN} and more`]) {
      expect(tokenIn(text), text).toBeNull();
    }
  });
});
