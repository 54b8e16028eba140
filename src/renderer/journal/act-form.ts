import type { JournalEntry, LogAct } from '../../shared/owner-data/journal.ts';
import { type LogKindName, type LogUnit, logKind, MAX_AMOUNT } from '../../shared/owner-data/log-kinds.ts';

/** The kind of an entry: an act, or a note. */
export type EntryKind = LogKindName | 'note';

/** The typed fields of an act. */
export interface ActForm {
  readonly kind: EntryKind;
  readonly product: string;
  readonly amount: string;
  readonly unit: LogUnit;
}

export type ActFault = 'productMissing' | 'amountMissing' | 'notPositive' | 'tooMuch' | 'notWhole';

export const kindOf = ({ act }: JournalEntry): EntryKind => act?.kind ?? 'note';

/** Returns a form that is filled in with an earlier act of the kind, if there is one. */
export function formOf(kind: EntryKind, act: LogAct | undefined): ActForm {
  const usual = kind === 'note' ? undefined : logKind(kind).units?.[0];
  return {
    kind,
    product: act?.product ?? '',
    amount: act?.amount === undefined ? '' : String(act.amount.value),
    unit: act?.amount?.unit ?? usual ?? 'l',
  };
}

/** Returns the act of a form, undefined for a note; or the faults by their fields. */
export function actOf(
  form: ActForm,
): { readonly act: LogAct | undefined } | { readonly product?: ActFault; readonly amount?: ActFault } {
  if (form.kind === 'note') return { act: undefined };
  const { hasProduct = false, units, isAmountOptional = false } = logKind(form.kind);
  const product = form.product.trim();
  const typed = form.amount.trim();
  const value = Number(typed.replace(',', '.'));
  const hasAmount = units !== undefined && typed !== '';
  const amountFault = (): ActFault | undefined => {
    if (!hasAmount) return units === undefined || isAmountOptional ? undefined : 'amountMissing';
    if (!(value > 0)) return 'notPositive';
    if (value > MAX_AMOUNT) return 'tooMuch';
    return form.unit === 'pieces' && !Number.isInteger(value) ? 'notWhole' : undefined;
  };
  const amount = amountFault();
  const lacksProduct = hasProduct && product === '';
  if (lacksProduct || amount !== undefined) {
    return {
      ...(lacksProduct ? { product: 'productMissing' as const } : {}),
      ...(amount === undefined ? {} : { amount }),
    };
  }
  return {
    act: {
      kind: form.kind,
      ...(hasProduct ? { product } : {}),
      ...(hasAmount ? { amount: { value, unit: form.unit } } : {}),
    },
  };
}

/** Returns the last act of a kind, to fill in the next one. */
export function lastAct(entries: readonly JournalEntry[], kind: EntryKind, device: string | null): LogAct | undefined {
  return entries.findLast((entry) => kindOf(entry) === kind && (device === null || entry.device === device))?.act;
}
