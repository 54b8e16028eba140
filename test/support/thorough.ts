/** By how much more than `npm test` a run looks: `npm run test:all` sets it. */
export const THOROUGH = Number(process.env.THOROUGH ?? 1);

/** How many cases a slow property tries, for fast-check. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * THOROUGH };
}
