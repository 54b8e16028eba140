import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Maps the module `electron` to the stand-in. Load it with --import before the built main bundle. Worker threads load
// it too.

const { STAND_IN_SYSTEM: system, STAND_IN_PACKED: packed } = process.env;
const standIn = new URL('./process.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
if (packed !== undefined) (await import('./packed.ts')).loadUnpacked(packed);
if (isMainThread && system !== undefined) (await import('./system.ts')).playSystem(system);
