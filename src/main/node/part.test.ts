import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { type Part, Parts } from './part.ts';

let done: string[] = [];
beforeEach(() => {
  done = [];
});

function part(name: string, fails: { start?: boolean; stop?: boolean } = {}): Part {
  const step = (what: 'start' | 'stop') => async () => {
    await new Promise(setImmediate);
    done.push(`${what} ${name}`);
    if (fails[what] === true) throw new Error(`${name} does not ${what}`);
  };
  return { name, start: step('start'), stop: step('stop') };
}

const lines: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });

it('starts parts in order, one after the other, and stops them in reverse, once', async () => {
  const parts = new Parts(log, [part('a'), part('b'), part('c')]);
  await parts.start();
  await parts.stop();
  await parts.stop();
  expect(done).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

it('stops all started parts if one can’t start, including that one, and reports the error', async () => {
  const parts = new Parts(log, [part('a'), part('b', { start: true }), part('c')]);
  await expect(parts.start()).rejects.toThrow('b does not start');
  expect(done).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

it('stops every part even if some fail to, and logs their names', async () => {
  const parts = new Parts(log, [part('a'), part('b', { stop: true }), part('c', { stop: true })]);
  await parts.start();
  await parts.stop();
  expect(done.slice(3)).toEqual(['stop c', 'stop b', 'stop a']);
  expect(lines.filter((line) => line.includes('"part":"b"'))).toHaveLength(1);
});

it('a part that fails to start and to stop hides neither error', async () => {
  const parts = new Parts(log, [part('a'), part('z', { start: true, stop: true })]);
  await expect(parts.start()).rejects.toThrow('z does not start');
  expect(done).toEqual(['start a', 'start z', 'stop z', 'stop a']);
  expect(lines.join()).toContain('z does not stop');
});
