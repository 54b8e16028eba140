import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { emitAs, strict } from '../e2e/stand-in/strict.ts';
import { has, readTypings } from '../e2e/stand-in/typings.ts';

describe('Electron’s typings', () => {
  it.each([
    ['PowerMonitor', 'events', 'lock-screen', ['darwin', 'win32']],
    ['PowerMonitor', 'events', 'shutdown', ['linux', 'darwin']],
    ['PowerMonitor', 'events', 'suspend', ['linux', 'darwin', 'win32']],
    ['App', 'members', 'setLoginItemSettings', ['darwin', 'win32']],
    ['App', 'members', 'setAppUserModelId', ['win32']],
    ['App', 'events', 'activate', ['darwin']],
    ['Notification', 'events', 'failed', ['darwin', 'win32']],
    ['BrowserWindow', 'members', 'isFullScreen', ['linux', 'darwin', 'win32']],
    ['App', 'members', 'noSuchCall', []],
  ] as const)('give %s its %s %s on %j', (type, kind, name, systems) => {
    expect(['linux', 'darwin', 'win32'].filter((system) => has(type, kind, name, system))).toEqual(systems);
  });

  it('are read with the comment that belongs to each', () => {
    const types = readTypings(`
  interface Thing extends Base {
    /**
     * @platform win32
     */
    on(event: 'one', listener: () => void): this;
    on(event: 'two', listener: () => void): this;
    /**
     * Of all.
     */
    call(): void;
  }`);
    const { parent, events, members } = types.get('Thing')!;
    expect(parent).toBe('Base');
    expect([...events]).toEqual([
      ['one', ['win32']],
      ['two', null],
    ]);
    expect([...members]).toEqual([['call', null]]);
  });
});

describe('the stand-in', () => {
  const monitor = strict('PowerMonitor', new EventEmitter());
  const app = strict('App', { getName: () => 'Wellhouse', notElectrons: () => 1, setUserActivity: () => {} });

  it('has what it offers and Electron has', () => {
    expect(app.getName()).toBe('Wellhouse');
    expect(() => monitor.on('suspend', () => {})).not.toThrow();
  });

  it('throws on what it lacks, what Electron lacks, and what this system lacks', () => {
    expect(() => (app as unknown as { quit(): void }).quit()).toThrow('the Electron stand-in has no App.quit');
    expect(() => app.notElectrons()).toThrow('Electron has no App.notElectrons');
    expect(() => monitor.on('no-such-event', () => {})).toThrow("Electron has no event 'no-such-event'");
    expect(() => emitAs('PowerMonitor', new EventEmitter(), 'no-such-event')).toThrow('Electron has no event');
    if (process.platform !== 'darwin')
      expect(() => app.setUserActivity()).toThrow('Electron has no App.setUserActivity');
    if (process.platform === 'linux') expect(() => monitor.on('lock-screen', () => {})).toThrow('lock-screen');
  });
});
