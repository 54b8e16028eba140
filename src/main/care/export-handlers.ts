import type { EXPORT_METHODS } from '../../shared/owner-api/exports.ts';
import type { MethodHandlers } from '../../shared/owner-api/method.ts';
import { careError } from './care-error.ts';
import type { Exports } from './exports.ts';

/** The handlers of all export methods except `exportSize`, which is a query. */
export type ExportHandlers = MethodHandlers<Omit<typeof EXPORT_METHODS, 'exportSize'>>;

/** Returns the handlers for exports. An export continues after the answer. */
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
