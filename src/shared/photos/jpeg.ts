import type { PhotoBounds } from './photo-limits.ts';

// The markers of a plain JPEG picture (ITU T.81, table B.1).
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const DHT = 0xc4;
const APP0 = 0xe0;
const APP14 = 0xee;
const COM = 0xfe;
/** Baseline, extended and progressive frames with Huffman coding: the kinds that browsers write. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Each scan is decoded over the whole picture: a file with thousands of scans keeps a browser busy for minutes. */
const MAX_SCANS = 32;

export const JPEG_FAULTS = ['notJpeg', 'tooManyBytes', 'tooLarge', 'metadata', 'damaged'] as const;
/**
 * Why bytes are not accepted as a photo. `tooLarge`: in pixels; `metadata`: it has EXIF, a comment or any other segment
 * with more than the picture; `damaged`: cut off, not in JPEG structure, or with bytes after its end.
 */
export type JpegFault = (typeof JPEG_FAULTS)[number];

/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A segment from its marker to the byte after its end. A scan's segment includes its coded data. */
interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

class Refused extends Error {
  readonly fault: JpegFault;

  constructor(fault: JpegFault) {
    super(fault);
    this.fault = fault;
  }
}

/**
 * Reads the size of a JPEG and checks its structure from the first byte to the last, without decoding it. Refuses
 * everything that the picture does not need: it could be a place, a camera's number, or another file after the picture.
 */
export function readJpeg(bytes: Uint8Array, bounds: PhotoBounds): PictureSize | { readonly fault: JpegFault } {
  return orFault(() => {
    let size: PictureSize | null = null;
    let hasTables = false;
    let scans = 0;
    if (isJpeg(bytes) && bytes.length > bounds.bytes) throw new Refused('tooManyBytes');
    for (const { marker, start, end } of segments(bytes)) {
      const content = bytes.subarray(start + 4, end);
      if (marker === SOS) {
        scans += 1;
        must(size !== null && hasTables && scans <= MAX_SCANS);
        checkScan(bytes, start);
      } else if (FRAMES.has(marker)) {
        must(size === null);
        size = readFrame(content);
        if (Math.max(size.width, size.height) > bounds.side) throw new Refused('tooLarge');
      } else if (marker === DQT) {
        checkQuantization(content);
        hasTables = true;
      } else if (marker === DHT) checkHuffman(content);
      else if (marker === DRI) must(content.length === 2);
      else if (marker !== EOI) checkApplication(marker, content);
      else must(end === bytes.length && scans > 0);
    }
    return size!;
  });
}

/**
 * Returns a JPEG without metadata and without bytes after its end; the picture is the same. Returns a fault if it is
 * not a JPEG.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> | { readonly fault: JpegFault } {
  return orFault(() => {
    const kept = [bytes.subarray(0, 2)];
    for (const { marker, start, end } of segments(bytes)) {
      if (!isMetadata(marker, bytes.subarray(start + 4, end))) kept.push(bytes.subarray(start, end));
    }
    const whole = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of kept) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  });
}

/** Returns whether bytes start like a JPEG. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff;
}

/** Returns the size in the first frame of a JPEG of any kind, however large; null if there is none. */
export function frameSize(bytes: Uint8Array): PictureSize | null {
  const found = orFault(() => {
    for (const { marker, start } of segments(bytes)) {
      const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== 0xc8 && marker !== 0xcc;
      if (isFrame) return { height: word(bytes, start + 5), width: word(bytes, start + 7) };
    }
    throw new Refused('damaged');
  });
  return 'fault' in found ? null : found;
}

function orFault<T>(read: () => T): T | { readonly fault: JpegFault } {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return { fault: error.fault };
    throw error;
  }
}

/** Throws Refused if the bytes are not a sequence of segments up to the end of the picture. */
function* segments(bytes: Uint8Array): Generator<Segment> {
  if (!isJpeg(bytes)) throw new Refused('notJpeg');
  let start = 2;
  for (;;) {
    must(bytes[start] === 0xff);
    const marker = bytes[start + 1] ?? 0;
    if (marker === EOI) {
      yield { marker, start, end: start + 2 };
      return;
    }
    // Any other marker below has no length, and is not allowed outside a scan.
    must(marker >= 0xc0 && !(marker >= 0xd0 && marker <= 0xd8));
    const length = word(bytes, start + 2);
    const head = start + 2 + length;
    must(length >= 2 && head <= bytes.length);
    const end = marker === SOS ? endOfScan(bytes, head) : head;
    yield { marker, start, end };
    start = end;
  }
}

/**
 * Returns the position of the next marker after coded data: a zero byte after 0xFF is data, and so is a restart marker.
 */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new Refused('damaged');
}

function readFrame(content: Uint8Array): PictureSize {
  const components = content[5] ?? 0;
  must(content[0] === 8 && (components === 1 || components === 3) && content.length === 6 + 3 * components);
  for (let at = 6; at < content.length; at += 3) {
    const [across, down] = [content[at + 1]! >> 4, content[at + 1]! & 15];
    must(across >= 1 && across <= 4 && down >= 1 && down <= 4 && content[at + 2]! <= 3);
  }
  const size = { height: word(content, 1), width: word(content, 3) };
  must(size.width > 0 && size.height > 0);
  return size;
}

function checkScan(bytes: Uint8Array, start: number): void {
  const components = bytes[start + 4] ?? 0;
  must(components >= 1 && components <= 3 && word(bytes, start + 2) === 6 + 2 * components);
}

function checkQuantization(content: Uint8Array): void {
  let at = 0;
  while (at < content.length) {
    const [precision, table] = [content[at]! >> 4, content[at]! & 15];
    must(precision <= 1 && table <= 3);
    at += 1 + 64 * (precision + 1);
  }
  must(at === content.length && at > 0);
}

function checkHuffman(content: Uint8Array): void {
  let at = 0;
  while (at < content.length) {
    must(content[at]! >> 4 <= 1 && (content[at]! & 15) <= 3 && at + 17 <= content.length);
    const codes = content.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    must(codes <= 256);
    at += 17 + codes;
  }
  must(at === content.length && at > 0);
}

function checkApplication(marker: number, content: Uint8Array): void {
  if (isMetadata(marker, content)) throw new Refused('metadata');
  must(marker === APP0 || marker === APP14);
}

/**
 * Returns whether a segment is metadata. JFIF without a thumbnail and Adobe's colour transform are not: decoders need
 * them.
 */
function isMetadata(marker: number, content: Uint8Array): boolean {
  if (marker === COM) return true;
  if (marker < APP0 || marker > 0xef) return false;
  if (marker === APP0) return !(content.length === 14 && begins(content, 'JFIF\0') && word(content, 12) === 0);
  return !(marker === APP14 && content.length === 12 && begins(content, 'Adobe'));
}

function begins(content: Uint8Array, text: string): boolean {
  return [...text].every((letter, index) => content[index] === letter.charCodeAt(0));
}

function word(bytes: Uint8Array, at: number): number {
  must(at + 1 < bytes.length);
  return bytes[at]! * 256 + bytes[at + 1]!;
}

function must(isSo: boolean): void {
  if (!isSo) throw new Refused('damaged');
}
