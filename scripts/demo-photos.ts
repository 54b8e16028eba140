import { type Colour, drawnJpeg } from './drawn-jpeg.ts';

const WALL: Colour = [214, 222, 226];
const FLOOR: Colour = [150, 140, 128];
const POT: Colour = [176, 92, 58];
const STEM: Colour = [74, 120, 52];
const LEAF: Colour = [64, 148, 62];
const PALE_LEAF: Colour = [142, 168, 70];
const FRUIT: Colour = [206, 48, 40];

/** The look of a plant on a day. */
export interface Plant {
  /** The days since planting, and the number of days until it is fully grown. */
  readonly day: number;
  readonly grownAt: number;
  /** From 0 (poor) to 1. */
  readonly vigour: number;
  readonly fruits: number;
}

/** Returns a photo of a drawn plant in a pot, and its small preview for lists, in base64. */
export function plantPhoto(plant: Plant): { readonly image: string; readonly preview: string } {
  const base64 = (columns: number, rows: number) =>
    Buffer.from(drawnJpeg(columns, rows, (column, row) => colourOf(plant, column / columns, row / rows))).toString(
      'base64',
    );
  return { image: base64(100, 75), preview: base64(32, 24) };
}

/** Returns the colour at a point. `x` and `y` are from 0 to 1, from the upper left corner. */
function colourOf({ day, grownAt, vigour, fruits }: Plant, x: number, y: number): Colour {
  const growth = Math.min(1, day / grownAt) * (0.55 + 0.45 * vigour);
  const [foot, height] = [0.78, 0.08 + 0.62 * growth];
  const top = foot - height;
  const leaves = Math.max(2, Math.round(14 * growth));
  for (let index = 0; index < fruits; index += 1) {
    const at = { x: 0.5 + 0.14 * Math.sin(index * 2.4), y: foot - height * (0.25 + 0.5 * ((index * 0.37) % 1)) };
    if (isIn(x - at.x, y - at.y, 0.022, 0.03)) return shaded(FRUIT, y - at.y);
  }
  for (let index = 0; index < leaves; index += 1) {
    const up = (index + 1) / leaves;
    const reach = (0.05 + 0.13 * growth) * (1.1 - 0.6 * up);
    const side = index % 2 === 0 ? 1 : -1;
    const at = { x: 0.5 + side * reach, y: foot - height * up };
    const leaf = vigour < 0.6 && index % 3 === 0 ? PALE_LEAF : LEAF;
    if (isIn(x - at.x, y - at.y, reach * 0.95, 0.028 + 0.02 * growth)) return shaded(leaf, y - at.y);
  }
  if (Math.abs(x - 0.5) < 0.008 + 0.006 * growth && y > top && y < foot) return STEM;
  if (y >= foot && y < 0.95 && Math.abs(x - 0.5) < 0.15 - 0.2 * (y - foot)) return shaded(POT, (x - 0.5) / 4);
  return y > 0.88 ? FLOOR : shaded(WALL, (y - 0.4) / 6);
}

function isIn(across: number, down: number, width: number, height: number): boolean {
  return (across / width) ** 2 + (down / height) ** 2 < 1;
}

/** Returns a darker colour further down. */
function shaded(colour: Colour, depth: number): Colour {
  const by = Math.max(-45, Math.min(45, Math.round(depth * -600)));
  const part = (value: number) => Math.max(0, Math.min(255, value + by));
  return [part(colour[0]), part(colour[1]), part(colour[2])];
}
