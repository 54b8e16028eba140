/** One value with its labels. */
export interface Sample {
  /** The suffix of a histogram's sample: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with all its samples. */
export interface Family {
  /** Without `_total`, which counters get. */
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /** The base unit, which is also the end of the name. */
  readonly unit?: 'seconds' | 'bytes';
  readonly samples: readonly Sample[];
}

/** The format of metrics: Prometheus text, or OpenMetrics. */
export type Exposition = 'text' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<Exposition, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Returns the format for an Accept header: OpenMetrics if the client prefers it to plain text. */
export function expositionFor(accept: string | undefined): Exposition {
  const offers = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const q = parameters.find((each) => each.startsWith('q='))?.slice(2);
    return { type, weight: q === undefined ? 1 : Number(q) || 0 };
  });
  const weightOf = (types: readonly string[]) =>
    Math.max(0, ...offers.filter(({ type }) => types.includes(type)).map(({ weight }) => weight));
  const open = weightOf(['application/openmetrics-text']);
  return open > 0 && open >= weightOf(['text/plain']) ? 'openmetrics' : 'text';
}

/** Returns metrics as text. Families without samples are omitted. */
export function exposition(families: readonly Family[], format: Exposition): string {
  const lines: string[] = [];
  for (const { name, type, help, unit, samples } of families) {
    if (samples.length === 0) continue;
    const isCounter = type === 'counter';
    const family = isCounter && format === 'text' ? `${name}_total` : name;
    lines.push(`# HELP ${family} ${escapedHelp(help, format)}`, `# TYPE ${family} ${type}`);
    if (unit !== undefined && format === 'openmetrics') lines.push(`# UNIT ${family} ${unit}`);
    for (const { suffix = isCounter ? '_total' : '', labels = {}, value } of samples) {
      lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
    }
  }
  if (format === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

/** Escapes a value, so that no device name can break out of its label. */
function escapedLabel(value: string): string {
  return value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function escapedHelp(help: string, format: Exposition): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return format === 'openmetrics' ? escaped.replaceAll('"', '\\"') : escaped;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
