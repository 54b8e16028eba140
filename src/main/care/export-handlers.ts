import type { z } from 'zod';
import type { EXPORT_METHODS } from '../../shared/owner-api/exports.ts';
import { careError } from './care-error.ts';
import type { Exports } from './exports.ts';

type Methods = Omit<typeof EXPORT_METHODS, 'exportSize'>;

/** Answers each method of the contract that no query answers. */
export type ExportHandlers = {
  readonly [M in keyof Methods]: (
    input: z.output<Methods[M]['input']>,
  ) => z.output<Methods[M]['output']> | Promise<z.output<Methods[M]['output']>>;
};

/** Answers the owner's calls about exports; an export goes on after the answer. */
export function exportHandlers(exports: Exports): ExportHandlers {
  return {
    exports: () => exports.view(),
    beginExport: async (wish) => {
      try {
        await exports.begin(wish);
        return { problem: null };
      } catch (error) {
        const { fault, message } = careError(error, 'the export can’t begin');
        return { problem: { fault, message } };
      }
    },
    cancelExport: () => {
      exports.cancel();
      return {};
    },
  };
}
