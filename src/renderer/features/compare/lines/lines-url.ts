import { ANY_FIELDS } from '../../../../shared/measures/derived.ts';
import type { Comparison } from '../../../../shared/owner-data/choices.ts';
import { MAX_LINES } from '../../../../shared/owner-data/limits.ts';

/** A field of a device. `node` is missing for devices of the page's own node. */
export type LineId = Comparison['lines'][number];

const NAME = 'lines';

export function isSameLine(a: LineId, b: LineId): boolean {
  return a.device === b.device && a.field === b.field && a.node === b.node;
}

/** Returns a line as text for an address. */
export function lineText({ device, field, node }: LineId): string {
  return node === undefined ? `${device}:${field}` : `${device}:${field}:${node}`;
}

/** Returns the lines in an address: each once, at most MAX_LINES, without invalid ones. */
export function readLines(parameters: URLSearchParams): LineId[] {
  const lines: LineId[] = [];
  for (const text of parameters.get(NAME)?.split(',') ?? []) {
    const [device = '', name, node] = text.split(':');
    const field = ANY_FIELDS.find((each) => each === name);
    if (field === undefined || !/^[0-9a-f]{64}$/.test(device)) continue;
    if (node !== undefined && !/^[0-9a-f]{64}$/.test(node)) continue;
    const line = { device, field, ...(node === undefined ? {} : { node }) };
    if (lines.length < MAX_LINES && !lines.some((each) => isSameLine(each, line))) lines.push(line);
  }
  return lines;
}

/** Replaces the lines in an address and keeps its other parts. */
export function writeLines(parameters: URLSearchParams, lines: readonly LineId[]): URLSearchParams {
  const written = new URLSearchParams(parameters);
  if (lines.length === 0) written.delete(NAME);
  else written.set(NAME, lines.map(lineText).join(','));
  return written;
}
