import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { IN_PAGE, sbomOf } from '../scripts/node-package/sbom.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties: readonly object[];
}

/** How the lockfile marks an entry that only development needs. */
interface Locked {
  readonly name?: string;
  readonly version: string;
  readonly dev?: boolean;
}

let text: string;
let components: readonly Component[];
beforeAll(() => {
  text = sbomOf('.');
  components = (JSON.parse(text) as { components: Component[] }).components;
});

const isInPage = ({ properties }: Component) =>
  properties.some((each) => JSON.stringify(each) === JSON.stringify(IN_PAGE));
const namesOf = (listed: readonly Component[]) => listed.map(({ name, version }) => `${name}@${version}`);

it('lists the production dependencies of the lockfile, and Electron', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
  const locked = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`);
  const electron = `electron@${packages['node_modules/electron']!.version}`;
  const listed = namesOf(components.filter((component) => !isInPage(component)));
  expect(listed.toSorted()).toEqual([...new Set([...locked, electron])].toSorted());
});

it('lists the page’s packages, and no development tool', () => {
  const names = components.filter(isInPage).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['react', 'react-dom', '@mantine/core', 'uplot', '@zxcvbn-ts/core']));
  const all = components.map(({ name }) => name);
  for (const tool of ['vitest', '@biomejs/biome', 'electron-builder', 'vite', 'playwright'])
    expect(all).not.toContain(tool);
});

it('is complete CycloneDX of this program, and the same each time', () => {
  const bom = JSON.parse(text) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'wellhouse']);
  const refs = new Set(components.map((component) => component['bom-ref']));
  for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  expect(text).not.toContain('timestamp');
  expect(sbomOf('.')).toBe(text);
});
