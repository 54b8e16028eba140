/** How much more a run tests than `npm test`. `npm run test:all` sets it. */
export const THOROUGH = Number(process.env.THOROUGH ?? 1);

/** Returns the number of cases of a slow property, for fast-check. `inLongRun` is that of the long run. */
export function runs(count: number, inLongRun = THOROUGH * count): { readonly numRuns: number } {
  return { numRuns: THOROUGH > 1 ? inLongRun : count };
}
