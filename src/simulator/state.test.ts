import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPhrase } from '../shared/crypto/phrase/phrase.ts';
import { defaultStatePath, SimulatorState, StateError } from './state.ts';

let directory = '';
let file = '';
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'simulator-state-'));
  file = path.join(directory, 'deep', 'state.json');
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

const open = (count = 2, phrase?: string, at = file) => SimulatorState.open(at, count, phrase, createPhrase);

/** Returns a copy of the state that a killed run leaves: the file as it is, without a lock of a living process. */
function asAfterKill(): string {
  const copy = path.join(directory, `copy-${fs.readdirSync(directory).length}.json`);
  fs.copyFileSync(file, copy);
  return copy;
}

test('keeps keys, macs, names and the phrase between runs, readable only by their owner', () => {
  const first = open();
  first.close();
  const second = open();
  second.close();
  const identity = ({ seed, mac, name }: { seed: string; mac: string; name: string }) => ({ seed, mac, name });
  expect(second.devices.map(identity)).toEqual(first.devices.map(identity));
  expect(second.ownerPhrase).toBe(first.ownerPhrase);
  expect(first.ownerPhrase.split(' ')).toHaveLength(12);
  expect(new Set(first.devices.map(({ seed }) => seed)).size).toBe(2);
  if (process.platform !== 'win32') {
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  }
  expect(fs.readdirSync(path.dirname(file))).toEqual(['state.json']);
});

test('adds devices when more are wanted and keeps the others', () => {
  open(1).close();
  const more = open(9);
  more.close();
  expect(new Set(more.devices.map(({ name }) => name)).size).toBe(9);
  const fewer = open(1);
  fewer.close();
  expect(fewer.devices.map(({ seed }) => seed)).toEqual(more.devices.map(({ seed }) => seed));
});

test('a kill at any point leaves a gap and never a seq used twice', () => {
  const state = open(1);
  const [device] = state.devices;
  const used: bigint[] = [];
  for (let index = 0; index < 250; index += 1) {
    used.push(state.takeSeq(device!));
    const after = open(1, undefined, asAfterKill());
    const next = after.takeSeq(after.devices[0]!);
    after.close();
    expect(next).toBeGreaterThan(used.at(-1)!);
  }
  expect(used).toEqual(Array.from({ length: 250 }, (_, index) => BigInt(index + 1)));
  state.close();
});

test('a run with a normal end leaves no gap', () => {
  const state = open(1);
  state.takeSeq(state.devices[0]!);
  state.close();
  const next = open(1);
  expect(next.takeSeq(next.devices[0]!)).toBe(2n);
  next.close();
});

test('uses no seq that could not be reserved on disk', () => {
  const state = open(1);
  fs.renameSync(path.dirname(file), path.join(directory, 'moved'));
  expect(() => state.takeSeq(state.devices[0]!)).toThrow(StateError);
  expect(() => state.takeSeq(state.devices[0]!)).toThrow(StateError);
  fs.renameSync(path.join(directory, 'moved'), path.dirname(file));
  expect(state.takeSeq(state.devices[0]!)).toBe(1n);
  state.close();
});

test('one file serves one run at a time; the lock of a dead process is taken over', () => {
  const state = open();
  expect(() => open()).toThrow(/is in use by process \d+; name another with --state/);
  state.close();
  // The number is above the largest pid of Linux.
  fs.writeFileSync(`${file}.lock`, '4194305');
  open().close();
  // A container gives a restarted process its old id.
  fs.writeFileSync(`${file}.lock`, String(process.pid));
  open().close();
  expect(fs.existsSync(`${file}.lock`)).toBe(false);
});

test('the owner phrase is kept, may be repeated in another spelling, and cannot change', () => {
  const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  open(1, phrase).close();
  const again = open(1);
  again.close();
  expect(again.ownerPhrase).toBe(phrase);
  open(1, phrase.toUpperCase()).close();
  expect(() => open(1, createPhrase())).toThrow('belong to another owner phrase');
});

test('a file of another kind is refused and unchanged', () => {
  fs.mkdirSync(path.dirname(file));
  for (const text of ['', 'not json', '{"version":2}', '{"version":1,"ownerPhrase":"a","devices":[{}]}']) {
    fs.writeFileSync(file, text);
    expect(() => open()).toThrow(StateError);
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
    expect(fs.existsSync(`${file}.lock`)).toBe(false);
  }
});

test('the default lies in the state folder of the system', () => {
  const home = os.homedir();
  expect(defaultStatePath({}, 'linux')).toBe(path.join(home, '.local/state/wellhouse/simulator.json'));
  expect(defaultStatePath({ XDG_STATE_HOME: '/var/x' }, 'linux')).toBe('/var/x/wellhouse/simulator.json');
  expect(defaultStatePath({ XDG_STATE_HOME: 'rel' }, 'linux')).toBe(defaultStatePath({}, 'linux'));
  const windows = defaultStatePath({ LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local' }, 'win32');
  expect(windows).toContain('C:\\Users\\a\\AppData\\Local');
});
