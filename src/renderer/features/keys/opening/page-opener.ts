import type { OwnerReading } from '../../../../shared/owner-api.ts';
import type { OpenedFields } from '../../../values.ts';
import type { KeyDevice, OpenedReadings } from '../session/types.ts';
import { openedStore } from './opened.ts';
import { BATCH, sealedFields } from './opened-store.ts';

/**
 * Opens a device's readings page after page, for a file or a count, and keeps nothing of them. `isOverturned`: a value that
 * was given out before proved to be a copy. Rejects with KeySessionError (`locked`), or the signal's reason.
 */
export function pageOpener(device: KeyDevice) {
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
      // Dropped where the keys changed meanwhile; with the keys locked it rejects.
      while (!(await openedStore.openNow(device, part, take))) signal.throwIfAborted();
    }
    return { openedOf: (seq: string) => opened.get(seq), isOverturned };
  };
}
