import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RotatingLog, recentLog } from './rotating-log.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wellhouse-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('keeps three files within the limit', () => {
  const log = new RotatingLog(dir, 100);
  for (let index = 0; index < 200; index += 1) log.write(`line ${index}\n`);
  expect(readdirSync(dir).sort()).toEqual(['wellhouse.log', 'wellhouse.log.1', 'wellhouse.log.2']);
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(100);
  expect(readFileSync(join(dir, 'wellhouse.log'), 'utf8')).toMatch(/line 199\n$/);
});

it('continues the file of the previous start', () => {
  new RotatingLog(dir, 100).write(`${'a'.repeat(80)}\n`);
  new RotatingLog(dir, 100).write(`${'b'.repeat(80)}\n`);
  expect(readFileSync(join(dir, 'wellhouse.log.1'), 'utf8')).toContain('aaa');
  expect(readFileSync(join(dir, 'wellhouse.log'), 'utf8')).toContain('bbb');
});

it('returns the newest complete lines of all files', () => {
  const log = new RotatingLog(dir, 50);
  for (let index = 10; index < 30; index += 1) log.write(`line ${index}\n`);
  expect(recentLog(dir, 20)).toBe('line 28\nline 29\n');
  expect(recentLog(dir, 64)).toBe('line 22\nline 23\nline 24\nline 25\nline 26\nline 27\nline 28\nline 29\n');
  expect(recentLog(join(dir, 'none'), 100)).toBe('');
});

it('is readable only by its user', () => {
  const inner = join(dir, 'logs');
  new RotatingLog(inner).write('x\n');
  expect(statSync(inner).mode & 0o077).toBe(0);
  expect(statSync(join(inner, 'wellhouse.log')).mode & 0o077).toBe(0);
});

it('continues after its folder was deleted', () => {
  const log = new RotatingLog(dir, 10);
  log.write('one line\n');
  rmSync(dir, { recursive: true });
  expect(() => log.write('another line\n')).not.toThrow();
  mkdirSync(dir);
});

it('writes to no other file if it can’t create a new one', () => {
  const log = new RotatingLog(dir, 10);
  log.write('one line\n');
  rmSync(dir, { recursive: true });
  log.write('another line\n');
  mkdirSync(dir);
  const other = join(dir, 'store');
  const fd = openSync(other, 'w');
  log.write('a third line\n');
  closeSync(fd);
  expect(readFileSync(other, 'utf8')).toBe('');
  expect(readFileSync(join(dir, 'wellhouse.log'), 'utf8')).toBe('a third line\n');
});
