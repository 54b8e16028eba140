import type { EXPORT_METHODS } from '../../shared/owner-api/exports.ts';
import type { MethodHandlers } from '../../shared/owner-api/method.ts';
import { careError } from './care-error.ts';
import type { Exports } from './exports.ts';

/** The size of an export is a query. */
export type ExportHandlers = MethodHandlers<Omit<typeof EXPORT_METHODS, 'exportSize'>>;

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
