import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { APP_ID, setUserModelId } from './user-model-id.ts';

function idOn(platform: NodeJS.Platform, isPackaged: boolean): string[] {
  const ids: string[] = [];
  setUserModelId({ isPackaged, setAppUserModelId: (id) => ids.push(id) }, platform, 'C:\\electron.exe');
  return ids;
}

it('is the one that the installer puts on the shortcut', () => {
  expect(/^appId: (.*)$/m.exec(readFileSync('electron-builder.yml', 'utf8'))?.[1]).toBe(APP_ID);
  expect(idOn('win32', true)).toEqual([APP_ID]);
});

it('is the program if it is not installed, and unset on other systems', () => {
  expect(idOn('win32', false)).toEqual(['C:\\electron.exe']);
  expect(idOn('linux', true)).toEqual([]);
  expect(idOn('darwin', true)).toEqual([]);
});
