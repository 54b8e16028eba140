import { registerHooks } from 'node:module';

/** Loaded with `--import`: makes `electron` unresolvable, as on a machine where it was never installed. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier.startsWith('electron/')) {
      throw new Error(`electron is refused here: ${specifier}`);
    }
    return next(specifier, context);
  },
});
