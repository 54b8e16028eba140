import { z } from 'zod';
import { MAX_ENTRY_LENGTH } from './limits.ts';
import { LOG_KIND_NAMES, LOG_UNITS, type LogKindName, logKind, MAX_AMOUNT, MAX_PRODUCT_LENGTH } from './log-kinds.ts';
import { deviceId, timeMs } from './values.ts';

/** Something that was done or seen, see LOG_KINDS. */
export const logAct = z
  .strictObject({
    kind: z.enum(LOG_KIND_NAMES as [LogKindName, ...LogKindName[]]),
    /** The name of the product that was used. */
    product: z.string().trim().min(1).max(MAX_PRODUCT_LENGTH).optional(),
    amount: z
      .strictObject({
        value: z.number().positive({ error: 'an amount must be more than 0' }).max(MAX_AMOUNT),
        unit: z.enum(LOG_UNITS),
      })
      .refine(({ value, unit }) => unit !== 'pieces' || Number.isInteger(value), { error: 'pieces are whole' })
      .optional(),
  })
  .superRefine(({ kind, product, amount }, context) => {
    const { hasProduct = false, units, isAmountOptional = false } = logKind(kind);
    const refuse = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] });
    if (hasProduct && product === undefined) refuse(`${kind} needs a product`, 'product');
    if (!hasProduct && product !== undefined) refuse(`${kind} has no product`, 'product');
    if (units === undefined ? amount !== undefined : amount === undefined && !isAmountOptional)
      refuse(`${kind} ${units === undefined ? 'has no' : 'needs an'} amount`, 'amount');
    if (amount !== undefined && units !== undefined && !units.includes(amount.unit))
      refuse(`the unit of ${kind} is ${units.join(' or ')}`, 'amount');
  });
export type LogAct = z.infer<typeof logAct>;

/** Something that the owner noted or did at a time. */
export const journalEntry = z.strictObject({
  id: z.int().min(1),
  /** null for all devices. */
  device: deviceId.nullable(),
  /** When it happened. */
  at: timeMs,
  text: z.string().trim().max(MAX_ENTRY_LENGTH),
  /** Missing in a note. */
  act: logAct.optional(),
  /** The name of the pairing that wrote it last; missing: somebody at the machine itself. */
  by: z.string().max(200).optional(),
  /** When it was written last. */
  updatedAt: timeMs,
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** An entry as an owner writes it. */
export const writtenEntry = journalEntry
  .omit({ id: true, by: true, updatedAt: true })
  .refine(({ text, act }) => text !== '' || (act !== undefined && logKind(act.kind).needsText !== true), {
    error: 'it needs a text',
    path: ['text'],
  });
