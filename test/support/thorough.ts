/** How much more a run tests than `npm test`. `npm run test:all` sets it. */
export const THOROUGH = Number(process.env.THOROUGH ?? 1);

/** Returns the number of cases of a slow property, for fast-check. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * THOROUGH };
}
