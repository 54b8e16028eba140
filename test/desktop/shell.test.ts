import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { OwnerBridge } from '../../src/shared/desktop-api.ts';
import { DesktopApp, eventually, type SeenItem } from '../support/desktop-app.ts';

const flat = (items: readonly SeenItem[]): SeenItem[] => items.flatMap((item) => [item, ...flat(item.items)]);

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (system) => {
  const shared = DesktopApp.shared({ system });

  test('the menu has the platform’s roles, our pages and their shortcuts', async () => {
    const app = shared();
    await app.opened();
    const items = flat(await app.operate<SeenItem[]>('menu'));
    const roles = items.map(({ role }) => role);
    expect(roles).toEqual(
      expect.arrayContaining([
        'undo',
        'copy',
        'paste',
        'selectAll',
        'zoomIn',
        'zoomOut',
        'resetZoom',
        'togglefullscreen',
        'minimize',
      ]),
    );
    expect(items.find(({ id }) => id === 'settings')?.accelerator).toBe('CommandOrControl+,');
    expect(items.find(({ id }) => id === 'quit')?.accelerator).toBe('CommandOrControl+Q');
    const heard = await app.hears();
    await app.operate('pressMenu', 'settings');
    await app.operate('pressMenu', 'lock-keys');
    await eventually(heard).toEqual([
      ['goTo', { page: 'settings' }],
      ['lockKeys', { reason: 'command' }],
    ]);
  });

  if (system === 'darwin') {
    test('the app’s own menu comes first, with the settings and a way out', async () => {
      const app = shared();
      await app.opened();
      const [first, ...others] = await app.operate<SeenItem[]>('menu');
      expect(first!.role).toBe('appMenu');
      expect(first!.items.map(({ id }) => id)).toEqual(expect.arrayContaining(['about', 'settings', 'quit']));
      expect(others.map(({ role }) => role)).not.toContain('help');
    });
  }

  test('the about box has the versions and the node’s public key', async () => {
    const app = shared();
    await app.opened();
    await app.operate('pressMenu', 'about');
    await eventually(() => app.operate('dialogs')).toHaveLength(1);
    const [box] = await app.operate<{ message: string; detail: string }[]>('dialogs');
    const { publicKey } = app.log().find(({ msg }) => msg === 'node started') as { publicKey: string };
    expect(box!.message).toMatch(/^Wellhouse \d/);
    expect(box!.detail).toContain(`Node ${process.versions.node.split('.')[0]}`);
    expect(box!.detail).toContain(publicKey);
    await app.operate('answer', 1);
    await eventually(() => app.operate('copied')).toContain(publicKey);
  });

  test('sleep locks the keys at once and is reported after waking', async () => {
    const app = shared();
    await app.opened();
    const heard = await app.hears();
    await app.operate('sleep', 3 * 3_600_000);
    await eventually(async () => (await heard()).map(([event]) => event)).toEqual(['lockKeys', 'wake']);
    const [[, lock], [, wake]] = (await heard()) as [[string, unknown], [string, { from: number; to: number }]];
    expect(lock).toEqual({ reason: 'suspend' });
    expect(wake.to - wake.from).toBeGreaterThanOrEqual(3 * 3_600_000);
    const lastWake = async () => {
      const page = await app.page();
      return page.evaluate(async () => {
        const { owner } = globalThis as unknown as { owner: OwnerBridge };
        const answer = await owner.callDesktop('lastWake', {});
        return answer.ok ? answer.json : answer.error;
      });
    };
    expect(JSON.parse(await lastWake())).toEqual({ wake });
    await (await app.page()).evaluate(async () => {
      await (globalThis as unknown as { owner: OwnerBridge }).owner.callDesktop('dismissWake', {});
    });
    expect(JSON.parse(await lastWake())).toEqual({ wake: null });
  });

  // The clock is ahead now, which this does not need.
  test('the keys lock with the screen', async () => {
    const app = shared();
    // The session is asked for its tray first, and for its locks at the same time.
    await app.withTray();
    const heard = await app.hears();
    await eventually(async () => {
      await app.lockScreen();
      return heard();
    }).toContainEqual(['lockKeys', { reason: 'suspend' }]);
  });
});

test('the window opens in spite of a taken port', async () => {
  const holder = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => {
    holder.listen(0, '127.0.0.1', resolve);
  });
  const { port } = holder.address() as AddressInfo;
  const app = await DesktopApp.launch({ env: { LOCAL_PORT: String(port) } });
  await eventually(() => app.state()).toMatchObject({
    state: 'failed',
    problem: { kind: 'port', listener: 'local', port, reason: 'taken' },
  });
  // Only Linux tells who listens.
  const { problem } = (await app.state()) as { problem: { holder: { pid: number } | null } };
  expect(problem.holder?.pid ?? null).toBe(process.platform === 'linux' ? process.pid : null);
  await eventually(async () => JSON.stringify(await app.tray())).toContain('Not running');
  expect((await app.window()).isShown).toBe(true);
  await new Promise((resolve) => holder.close(resolve));
  await app.startNode();
  await eventually(() => app.state()).toMatchObject({ state: 'running' });
});
