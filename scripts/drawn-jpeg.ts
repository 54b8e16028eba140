/** A colour in red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

const BLOCK = 8;
/** Differences of 8-bit colours have 0 to 8 bits; each of these categories has a code of four bits. */
const CATEGORIES = 9;
const CODE_BITS = 4;

/**
 * Returns a baseline JPEG of squares of 8 × 8 pixels, each of one colour: a picture for the demo and for tests, without
 * a library for encoding. `colourAt` returns the colour of each square.
 */
export function drawnJpeg(
  columns: number,
  rows: number,
  colourAt: (column: number, row: number) => Colour,
): Uint8Array<ArrayBuffer> {
  const bits = new BitWriter();
  const before = [0, 0, 0];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      for (const [index, value] of toYCbCr(colourAt(column, row)).entries()) {
        const difference = value - before[index]!;
        before[index] = value;
        const size = 32 - Math.clz32(Math.abs(difference));
        bits.write(size, CODE_BITS);
        bits.write(difference < 0 ? difference + 2 ** size - 1 : difference, size);
        // The end of the block: a square of one colour has no further coefficients.
        bits.write(0, 1);
      }
    }
  }
  const [width, height] = [columns * BLOCK, rows * BLOCK];
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [...[0x4a, 0x46, 0x49, 0x46, 0], 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...new Array<number>(64).fill(BLOCK)]),
    ...segment(0xc0, [8, ...word(height), ...word(width), 3, ...[1, 2, 3].flatMap((id) => [id, 0x11, 0])]),
    ...segment(0xc4, [0x00, 0, 0, 0, CATEGORIES, ...new Array<number>(12).fill(0), ...Array(CATEGORIES).keys()]),
    ...segment(0xc4, [0x10, 1, ...new Array<number>(15).fill(0), 0]),
    ...segment(0xda, [3, ...[1, 2, 3].flatMap((id) => [id, 0]), 0, 63, 0]),
    ...bits.end(),
    ...[0xff, 0xd9],
  ]);
}

/** Returns the components of JPEG, from -128 to 127. */
function toYCbCr([red, green, blue]: Colour): number[] {
  const light = 0.299 * red + 0.587 * green + 0.114 * blue;
  return [light - 128, (blue - light) * 0.564, (red - light) * 0.713].map((value) =>
    Math.max(-128, Math.min(127, Math.round(value))),
  );
}

function segment(marker: number, content: readonly number[]): number[] {
  return [0xff, marker, ...word(content.length + 2), ...content];
}

function word(value: number): number[] {
  return [value >> 8, value & 255];
}

class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.#bits = (this.#bits << 1) | ((value >> bit) & 1);
      this.#count += 1;
      if (this.#count === BLOCK) this.#flush();
    }
  }

  end(): readonly number[] {
    while (this.#count > 0) this.write(1, 1);
    return this.#bytes;
  }

  #flush(): void {
    this.#bytes.push(this.#bits);
    // A byte 0xFF in the data would look like a marker.
    if (this.#bits === 0xff) this.#bytes.push(0);
    [this.#bits, this.#count] = [0, 0];
  }
}
