import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type NodeConnection, NodeProvider } from '../src/renderer/api/node-connection.ts';
import { useFromNow } from '../src/renderer/now.ts';

const EVERY_MS = 1000;
/** A time whose second is over in 100 ms. */
const START = 1_790_000_000_900;

function Seconds() {
  const seconds = useFromNow(EVERY_MS, (now) => Math.floor(now / 1000));
  return <output>{seconds - Math.floor(START / 1000)}</output>;
}

/** A node of which only the clock is asked. */
const node = { clock: { now: () => Date.now() }, lastKnown: (now: number) => now } as unknown as NodeConnection;

function Page({ isSecond }: { readonly isSecond: boolean }) {
  return (
    <NodeProvider value={node}>
      <Seconds />
      {isSecond && <Seconds />}
    </NodeProvider>
  );
}

let root: Root;
const show = (page: { readonly isSecond: boolean }) => flushSync(() => root.render(<Page {...page} />));
const shown = () => Array.from(document.querySelectorAll('output'), ({ textContent }) => textContent);

/** The time of the page, and its timer. */
let time = 0;
let tick = () => {};

beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  time = START;
  vi.spyOn(Date, 'now').mockImplementation(() => time);
  vi.spyOn(performance, 'now').mockImplementation(() => time - START);
  const { setInterval } = window;
  vi.spyOn(window, 'setInterval').mockImplementation(((handler: () => void, ms?: number) => {
    if (ms !== EVERY_MS) return setInterval(handler, ms);
    tick = handler;
    return 0;
  }) as typeof window.setInterval);
});
afterEach(() => {
  root.unmount();
  vi.restoreAllMocks();
});

test('what appears between two ticks shows the time of the tick, also before the first one', () => {
  show({ isSecond: false });
  expect(shown()).toEqual(['0']);
  time += 200;
  show({ isSecond: true });
  expect(shown()).toEqual(['0', '0']);
  time += 800;
  flushSync(() => tick());
  expect(shown()).toEqual(['1', '1']);
});

test('if a tick is late, the time stays that of the one before for two seconds', () => {
  show({ isSecond: false });
  time += 1999;
  show({ isSecond: true });
  expect(shown()).toEqual(['0', '0']);
  time += 1;
  show({ isSecond: true });
  expect(shown()).toEqual(['2', '2']);
});

test('a clock that tells whole milliseconds shows no other second', () => {
  time = START + 100.05;
  vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(time));
  show({ isSecond: false });
  time += 0.9;
  show({ isSecond: true });
  expect(shown()).toEqual(['1', '1']);
});
