import { describe, expect, it } from 'vitest';
import type { Input, MethodName, Output, OwnerApi } from '../../../../shared/owner-api/contract.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { perFieldName } from '../../../../shared/protocol/fields.ts';
import { testScales } from '../../../devices/test-scales.ts';
import { ALL_COLUMNS } from './export-row.ts';
import { buildExport, type ExportProgress } from './run-export.ts';

const context = { columns: ALL_COLUMNS, scales: testScales(), clockNotSet: false, dialect: 'comma' } as const;
const fields = { ...perFieldName(() => null), ph: 7 };
const readings: OwnerReading[] = Array.from({ length: 4500 }, (_, index) => ({
  seq: String(index),
  timestamp: String(1_000_000_000_000 + index),
  receivedAt: 1_000_000_000_000 + index,
  keyVersion: 0,
  store: 'private',
  fields,
}));

/** Simulates the node's pages by the contract: each page but the last names the next, and the first has the total. */
const api = {
  call: <M extends MethodName>(method: M, input: Input<M>) => {
    expect(method).toBe('readingsPage');
    const { cursor, limit } = input as Input<'readingsPage'>;
    const start = Number(cursor ?? 0);
    const page: Output<'readingsPage'> = {
      readings: readings.slice(start, start + limit),
      next: start + limit < readings.length ? String(start + limit) : null,
      total: cursor === null ? readings.length : null,
    };
    return Promise.resolve(page as Output<M>);
  },
} satisfies Pick<OwnerApi, 'call'>;

const range = { kind: 'range', id: 'ab', from: null, to: null } as const;

describe('buildExport', () => {
  it('writes every page of a range and reports its progress', async () => {
    const progress: ExportProgress[] = [];
    const blob = await buildExport(range, 'csv', context, api, new AbortController().signal, (each) =>
      progress.push(each),
    );
    const lines = (await blob.text()).split('\r\n');
    expect(lines[0]).toMatch(/^(\uFEFF)?seq,time,/);
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(readings.map(({ seq }) => seq));
    expect(progress).toEqual([
      { done: 2000, total: 4500 },
      { done: 4000, total: 4500 },
      { done: 4500, total: 4500 },
    ]);
  });

  it('writes the shown readings in their order', async () => {
    const shown = { kind: 'shown', readings: readings.slice(0, 3).toReversed() } as const;
    const blob = await buildExport(shown, 'ndjson', context, api, new AbortController().signal, () => {});
    const seqs = (await blob.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual(['2', '1', '0']);
  });

  it('builds the file again if a page shows an earlier value to be a copy', async () => {
    const sealed = { cipher: 'aa', nonce: 'bb' };
    const item = (isCopy: boolean) =>
      isCopy
        ? ({ ok: false, reason: 'nonce_reused', keyVersion: 0 } as const)
        : ({ ok: true, value: 5, keyIndex: 0 } as const);
    const before = readings[3]!.fields;
    readings[3]!.fields = { ...before, ph: sealed };
    let isKnown = false;
    const open = async (page: readonly OwnerReading[]) => {
      const isCopy = isKnown;
      // The original of reading 3 is on the last page.
      const isOverturned = !isKnown && page.some(({ seq }) => seq === '4499');
      if (isOverturned) isKnown = true;
      return { openedOf: (seq: string) => (seq === '3' ? { ph: item(isCopy) } : undefined), isOverturned };
    };
    const blob = await buildExport(range, 'csv', context, api, new AbortController().signal, () => {}, open);
    const lines = (await blob.text()).split('\r\n');
    expect(lines).toHaveLength(4502);
    expect(lines[4]).toMatch(/,sealed v0: a copy,.*,$/);
    readings[3]!.fields = before;
  });

  it('stops between two pages', async () => {
    const controller = new AbortController();
    const building = buildExport(range, 'csv', context, api, controller.signal, () => controller.abort());
    await expect(building).rejects.toMatchObject({ name: 'AbortError' });
  });
});
