import { pino } from 'pino';
import { expect, it } from 'vitest';
import { EventBus } from './event-bus.ts';

interface Events {
  rang: { times: number };
  fell: { from: string };
}

function bus(lines: string[] = []): EventBus<Events> {
  return new EventBus(pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }));
}

it('calls the listeners of an event, and no others, until they are removed', () => {
  const events = bus();
  const heard: string[] = [];
  const stop = events.on('rang', ({ times }) => heard.push(`first ${times}`));
  events.on('rang', ({ times }) => heard.push(`second ${times}`));
  events.on('fell', ({ from }) => heard.push(from));
  events.emit('rang', () => ({ times: 1 }));
  stop();
  stop();
  events.emit('rang', () => ({ times: 2 }));
  expect(heard).toEqual(['first 1', 'second 1', 'second 2']);
});

it('makes no payload without a listener', () => {
  const events = bus();
  events.on('fell', () => {})();
  expect(events.isHeard('fell')).toBe(false);
  events.emit('fell', () => expect.unreachable());
});

it('makes one payload for all listeners', () => {
  const events = bus();
  const heard: unknown[] = [];
  events.on('rang', (payload) => heard.push(payload));
  events.on('rang', (payload) => heard.push(payload));
  events.emit('rang', () => ({ times: 1 }));
  expect(heard[0]).toBe(heard[1]);
});

it('a listener that throws is logged, and the others are still called', () => {
  const lines: string[] = [];
  const events = bus(lines);
  const heard: number[] = [];
  events.on('rang', () => {
    throw new Error('out of order');
  });
  events.on('rang', ({ times }) => heard.push(times));
  events.emit('rang', () => ({ times: 3 }));
  expect(heard).toEqual([3]);
  expect(lines.join()).toContain('out of order');
});

it('a listener can remove another one during an event', () => {
  const events = bus();
  const heard: string[] = [];
  const stops = [events.on('rang', () => stops[1]!()), events.on('rang', () => heard.push('second'))];
  events.emit('rang', () => ({ times: 1 }));
  events.emit('rang', () => ({ times: 2 }));
  expect(heard).toEqual(['second']);
});
