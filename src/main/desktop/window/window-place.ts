import { readFileSync, writeFileSync } from 'node:fs';
import type { Rectangle } from 'electron';

/** The position of the window. */
export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

const DEFAULT_SIZE = { width: 1280, height: 860 };
export const MIN_SIZE = { width: 900, height: 600 };
/** The part of the title bar, in pixels, that must be on a screen so that the user can grab the window. */
const GRIP = { width: 120, height: 40 };

/** Returns the stored position; null if there is no valid one. */
export function readPlace(path: string): WindowPlace | null {
  try {
    const { bounds, isMaximized } = JSON.parse(readFileSync(path, 'utf8')) as WindowPlace;
    const { x, y, width, height } = bounds;
    if (![x, y, width, height].every(Number.isSafeInteger) || width < 1 || height < 1) return null;
    return { bounds: { x, y, width, height }, isMaximized: isMaximized === true };
  } catch {
    return null;
  }
}

/** Stores the position for the next start; a failure is ignored. */
export function keepPlace(path: string, place: WindowPlace): void {
  try {
    writeFileSync(path, JSON.stringify(place), { mode: 0o600 });
  } catch {
    // The next window opens in the centre.
  }
}

/**
 * Returns the position for the window: the previous one, adjusted if its screen is gone or smaller. `screens` are the
 * work areas, primary first. Without x and y the window is centred.
 */
export function placeFor(kept: WindowPlace | null, screens: readonly Rectangle[]): Partial<Rectangle> & Size {
  const primary = screens[0];
  if (kept === null) return primary === undefined ? DEFAULT_SIZE : within(DEFAULT_SIZE, primary);
  const { bounds } = kept;
  const home = screens.find((screen) => canBeGrasped(bounds, screen));
  if (home === undefined) return primary === undefined ? DEFAULT_SIZE : within(bounds, primary);
  const size = within(bounds, home);
  return {
    ...size,
    x: clamp(bounds.x, home.x, home.x + home.width - size.width),
    y: clamp(bounds.y, home.y, home.y + home.height - size.height),
  };
}

type Size = Pick<Rectangle, 'width' | 'height'>;

function within({ width, height }: Size, screen: Size): Size {
  return {
    width: Math.min(Math.max(width, MIN_SIZE.width), screen.width),
    height: Math.min(Math.max(height, MIN_SIZE.height), screen.height),
  };
}

function canBeGrasped(bounds: Rectangle, screen: Rectangle): boolean {
  const left = Math.max(bounds.x, screen.x);
  const right = Math.min(bounds.x + bounds.width, screen.x + screen.width);
  const top = bounds.y;
  return right - left >= GRIP.width && top >= screen.y - GRIP.height && top <= screen.y + screen.height - GRIP.height;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
