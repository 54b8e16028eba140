import { registerHooks } from 'node:module';

// Maps the module `electron` to the stand-in; to be loaded with --import before the built main bundle.

const standIn = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
