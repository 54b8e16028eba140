import { describe, expect, it } from 'vitest';
import { type Catalogue, translator } from './translate.ts';

const TEXTS: Record<string, Catalogue> = {
  app: { title: 'Devices', error: { gone: { title: 'Gone' } } },
  page: {
    hello: 'Hello, {{name}}. {{name}}!',
    rows_one: '{{count}} linha',
    rows_many: '{{count}} de linhas',
    rows_other: '{{count}} linhas',
    count: 'Values: {{count}}',
  },
};
const t = translator('pt-BR', 'page', (namespace) => TEXTS[namespace]);

describe('translator', () => {
  it('finds texts of its namespace and of another', () => {
    expect([t('count', { count: '1,000' }), t('app:error.gone.title')]).toEqual(['Values: 1,000', 'Gone']);
  });

  it('puts values in as they are, nothing of them being read again', () => {
    expect(t('hello', { name: '{{count}} $& <b>' })).toBe('Hello, {{count}} $& <b>. {{count}} $& <b>!');
    expect(t('hello', { name: null })).toBe('Hello, . !');
  });

  it('takes the plural of the language', () => {
    expect([0, 1, 1.5, 2, 1_000_000].map((count) => t('rows', { count }))).toEqual([
      '0 linha',
      '1 linha',
      '1.5 linha',
      '2 linhas',
      '1000000 de linhas',
    ]);
    expect(t('count', { count: 1 })).toBe('Values: 1');
  });

  it('shows the key where there is no text', () => {
    expect([t('nothing'), t('hello.name'), t('toString'), t('app:error.gone'), t('other:title')]).toEqual([
      'nothing',
      'hello.name',
      'toString',
      'error.gone',
      'title',
    ]);
    expect(t('cause.new', { defaultValue: 'new_cause' })).toBe('new_cause');
  });
});
