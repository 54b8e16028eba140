import { expect, it } from 'vitest';
import { autostartEntry, autostartFile } from './autostart-entry.ts';

const execOf = (command: readonly string[]) => /^Exec=(.*)$/m.exec(autostartEntry(command))?.[1];

it('is in the folder that desktops read', () => {
  expect(autostartFile({ XDG_CONFIG_HOME: '/home/a/conf' })).toBe('/home/a/conf/autostart/wellhouse.desktop');
  expect(autostartFile({})).toMatch(/\/\.config\/autostart\/wellhouse\.desktop$/);
});

it('runs the command with its arguments', () => {
  expect(execOf(['/usr/bin/wellhouse', '--hidden'])).toBe('"/usr/bin/wellhouse" "--hidden"');
});

// The values follow the desktop entry specification: the string is unescaped once as a value, once as Exec.
it.each([
  ['/opt/a b/wellhouse', '"/opt/a b/wellhouse"'],
  ['/opt/100%/wellhouse', '"/opt/100%%/wellhouse"'],
  ['/opt/a"b', '"/opt/a\\\\"b"'],
  ['/opt/$HOME', '"/opt/\\\\$HOME"'],
  ['/opt/a\\b', '"/opt/a\\\\\\\\b"'],
])('quotes %s', (path, quoted) => {
  expect(execOf([path])).toBe(quoted);
});
