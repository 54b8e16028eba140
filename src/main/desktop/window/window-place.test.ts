import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { keepPlace, placeFor, readPlace, type WindowPlace } from './window-place.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1040 };
const SECOND = { x: 1920, y: 0, width: 1280, height: 1024 };
const at = (x: number, y: number, width = 1000, height = 700): WindowPlace => ({
  bounds: { x, y, width, height },
  isMaximized: false,
});

describe('the window opens', () => {
  it('at its previous position', () => {
    expect(placeFor(at(300, 120), [SCREEN])).toEqual({ x: 300, y: 120, width: 1000, height: 700 });
  });

  it('on the second screen, if it is connected', () => {
    expect(placeFor(at(2000, 100), [SCREEN, SECOND])).toMatchObject({ x: 2000, y: 100 });
  });

  it('centred on the first if the second is gone', () => {
    expect(placeFor(at(2000, 100), [SCREEN])).toEqual({ width: 1000, height: 700 });
  });

  it('no larger than the screen', () => {
    const small = { x: 0, y: 0, width: 1024, height: 700 };
    expect(placeFor(at(0, 0, 3000, 2000), [small])).toEqual(small);
  });

  it('in a default size the first time', () => {
    expect(placeFor(null, [SCREEN])).toEqual({ width: 1280, height: 860 });
  });

  it('wholly on a screen, from any position', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 });
    const size = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(number, number, size, size, (x, y, width, height) => {
        const place = placeFor(at(x, y, width, height), [SCREEN, SECOND]);
        if (place.x === undefined || place.y === undefined) return;
        const inside = [SCREEN, SECOND].some(
          (screen) =>
            place.x! >= screen.x &&
            place.y! >= screen.y &&
            place.x! + place.width <= screen.x + screen.width &&
            place.y! + place.height <= screen.y + screen.height,
        );
        expect(inside).toBe(true);
      }),
    );
  });
});

describe('the stored position', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wellhouse-place-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'window.json');

  it('is read as it was stored', () => {
    keepPlace(file, { ...at(10, 20), isMaximized: true });
    expect(readPlace(file)).toEqual({ ...at(10, 20), isMaximized: true });
  });

  it.each(['', '{', '{}', '{"bounds":{"x":1,"y":2,"width":"3","height":4}}', 'null'])('is null for %j', (text) => {
    writeFileSync(file, text);
    expect(readPlace(file)).toBeNull();
  });

  it('is null without a file; a missing folder causes no error', () => {
    expect(readPlace(join(folder, 'none.json'))).toBeNull();
    expect(() => keepPlace(join(folder, 'gone', 'window.json'), at(0, 0))).not.toThrow();
  });
});
