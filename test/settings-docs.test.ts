import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTINGS, type Setting } from '../src/shared/settings/table.ts';

const PAGE = 'docs/settings.md';
const [START, END] = ['<!-- settings: made from src/shared/settings/table.ts -->\n', '<!-- /settings -->'];

const WHERE: Readonly<Record<Setting['scope'], string>> = {
  node: 'settings page',
  desktop: 'settings page of the desktop app',
  browser: 'header, settings page; a browser keeps its own',
};

function textOf(value: unknown): string {
  return Array.isArray(value) && value.length === 0 ? 'none' : `\`${String(value)}\``;
}

function rowOf([name, setting]: [string, Setting]): string {
  const { help, variable, page, scope, isSecret, desktopDefault } = setting;
  const byDefault = isSecret === true ? '' : textOf(setting.default);
  return [
    help,
    variable === null ? '' : `\`${variable}\``,
    page === 'none' ? '' : `\`${name}\``,
    desktopDefault === undefined ? byDefault : `${byDefault}; desktop: ${textOf(desktopDefault)}`,
    page === 'none' ? '' : WHERE[scope],
  ].join(' | ');
}

// `npx vitest run test/settings-docs.test.ts -u` writes the page again.
it('docs/settings.md has every setting of the table', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(START) as [string, string];
  const [, after] = rest.split(END) as [string, string];
  const head = '| setting | variable | in the file | default | where the owner changes it |\n|---|---|---|---|---|\n';
  const rows = Object.entries(SETTINGS).map((entry) => `| ${rowOf(entry)} |\n`);
  await expect(`${before}${START}${head}${rows.join('')}${END}${after}`).toMatchFileSnapshot(`../${PAGE}`);
});
