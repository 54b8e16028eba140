import type { EXPORT_METHODS, ExportsView } from '../../src/shared/owner-api/exports.ts';
import type { Answers, OnFakeEvent } from './fake.ts';

const READINGS_OF_A_DEVICE = 40_000;
const STEPS = 20;
const STEP_MS = 250;

/** Returns fake exports that take some seconds and write nothing. */
export function exportAnswers(
  deviceCount: () => number,
  onEvent: OnFakeEvent,
): Pick<Answers, keyof typeof EXPORT_METHODS> {
  let view: Omit<ExportsView, 'suggestedFolder'> = { work: null, last: null };
  let timer: NodeJS.Timeout | null = null;
  const show = (next: typeof view) => {
    view = next;
    onEvent('exports', {});
  };
  const readings = () => READINGS_OF_A_DEVICE * deviceCount();
  const end = (problem: NonNullable<ExportsView['last']>['problem']) => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    if (view.work === null) return;
    const { format, folder } = view.work;
    const done = { files: deviceCount() + 2, readings: readings(), bytes: readings() * 110 };
    const none = { files: 0, readings: 0, bytes: 0 };
    show({ work: null, last: { at: Date.now(), format, folder, ...(problem === null ? done : none), problem } });
  };
  return {
    exportSize: () => {
      const bytes = {
        csv: readings() * 115,
        ndjson: readings() * 235,
        parquet: readings() * 25,
        sqlite: readings() * 103,
      };
      return { devices: deviceCount(), readings: readings(), bytes };
    },
    exports: () => ({ suggestedFolder: '/home/grower/Downloads', ...view }),
    beginExport: ({ folder: parent, format }) => {
      const folder = `${parent}/wellhouse-export-2026-01-07-120000`;
      const total = readings();
      show({ work: { format, folder, file: null, readings: 0, total: 0 }, last: null });
      let step = 0;
      timer = setInterval(() => {
        step += 1;
        if (step > STEPS) return end(null);
        const file = 'Greenhouse-1234abcd.csv';
        show({ work: { format, folder, file, readings: Math.round((total * step) / STEPS), total }, last: null });
      }, STEP_MS).unref();
      return { problem: null };
    },
    cancelExport: () => {
      end({ fault: 'cancelled', message: 'stopped' });
      return {};
    },
  };
}
