import type { Comparison } from '../../../../shared/owner-api/choices.ts';
import { MAX_LINES } from '../../../../shared/owner-api/limits.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';

/** A field of a device. */
export type LineId = Comparison['lines'][number];

const NAME = 'lines';

export function isSameLine(a: LineId, b: LineId): boolean {
  return a.device === b.device && a.field === b.field;
}

/** The lines in an address, each once and no more than can be told apart; what makes no sense is left out. */
export function readLines(parameters: URLSearchParams): LineId[] {
  const lines: LineId[] = [];
  for (const text of parameters.get(NAME)?.split(',') ?? []) {
    const [device = '', name] = text.split(':');
    const field = FIELD_NAMES.find((each) => each === name);
    if (field === undefined || !/^[0-9a-f]{64}$/.test(device)) continue;
    const line = { device, field };
    if (lines.length < MAX_LINES && !lines.some((each) => isSameLine(each, line))) lines.push(line);
  }
  return lines;
}

/** Puts lines into an address, whose other parts stay. */
export function writeLines(parameters: URLSearchParams, lines: readonly LineId[]): URLSearchParams {
  const written = new URLSearchParams(parameters);
  if (lines.length === 0) written.delete(NAME);
  else written.set(NAME, lines.map(({ device, field }) => `${device}:${field}`).join(','));
  return written;
}
