/** The codings of the page's files, the smallest first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * Returns the available coding that a client prefers by its Accept-Encoding (RFC 9110, 12.5.3); of equal ones the
 * smallest. null means without a coding, also if the client accepts no available one.
 */
export function chooseCoding(acceptEncoding: string | undefined, available: readonly Coding[]): Coding | null {
  const weights = weightsOf(acceptEncoding ?? '');
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const coding = CODINGS.filter((name) => available.includes(name)).sort((a, b) => weightOf(b) - weightOf(a))[0];
  if (coding === undefined || weightOf(coding) === 0) return null;
  return (weights.get('identity') ?? 0) > weightOf(coding) ? null : coding;
}

function weightsOf(acceptEncoding: string): ReadonlyMap<string, number> {
  return new Map(
    acceptEncoding.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [name === 'x-gzip' ? 'gzip' : name, isWeight(weight) ? Number(weight) : 0];
    }),
  );
}

/** An invalid weight must not count for more than the others. */
function isWeight(text: string): boolean {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text);
}
