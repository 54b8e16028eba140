import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import type { OpenedFields } from '../format/values.ts';
import type { KeyDevice, OpenedReadings } from '../keys/types.ts';
import { BATCH, type OpenedStore, sealedFields } from './opened-store.ts';

/**
 * Returns a function that opens a device's readings page by page, for a file or a count, and stores nothing.
 * `isOverturned`: a value returned earlier was found to be a copy. Rejects with KeySessionError (`locked`), or the
 * signal's reason.
 */
export function pageOpener(store: OpenedStore, device: KeyDevice) {
  return async (readings: readonly OwnerReading[], signal: AbortSignal) => {
    const opened = new Map<string, OpenedFields>();
    let isOverturned = false;
    const sealed = readings.filter(({ fields }) => sealedFields(fields).length > 0);
    for (let at = 0; at < sealed.length; at += BATCH) {
      signal.throwIfAborted();
      const part = sealed.slice(at, at + BATCH);
      const take = (answer: OpenedReadings) => {
        for (const { seq, fields } of answer.readings) opened.set(seq, fields);
        for (const { seq, field } of answer.overturned) {
          isOverturned = true;
          const before = opened.get(seq)?.[field];
          if (before === undefined) continue;
          const copy = { ok: false, reason: 'nonce_reused', keyVersion: 0 } as const;
          opened.set(seq, { ...opened.get(seq), [field]: copy });
        }
      };
      // The result was dropped because the keys changed. If they are locked, this rejects.
      while (!(await store.openNow(device, part, take))) signal.throwIfAborted();
    }
    return { openedOf: (seq: string) => opened.get(seq), isOverturned };
  };
}
