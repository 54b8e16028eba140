import { LOG_UNITS, type LogKindName, logKind } from '../../shared/owner-data/log-kinds.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/** Finds a kind of log entry by its typed name. Throws CommandError if there is none. */
export function kindIn<K extends string>(typed: string, kinds: readonly K[]): K {
  const found = kinds.find((name) => name.toLowerCase() === typed.toLowerCase());
  if (found === undefined)
    throw new CommandError(`there is no kind ${typed}`, EXIT.usage, `there are ${kinds.join(', ')}`);
  return found;
}

/** Returns the act of the options; the contract checks it. Throws CommandError if the amount is invalid. */
export function actOf(kind: LogKindName, product: string | undefined, amount: string | undefined) {
  const named = product === undefined ? { kind } : { kind, product };
  return amount === undefined ? named : { ...named, amount: amountIn(amount, kind) };
}

/** Reads a typed amount. Without a unit it has the usual one of its kind. */
function amountIn(text: string, kind: LogKindName) {
  const match = /^(-?\d+(?:[.,]\d+)?) ?([a-z]*)$/i.exec(text.trim());
  const usual = logKind(kind).units?.[0] ?? 'l';
  const unit = match?.[2] === '' ? usual : LOG_UNITS.find((name) => name === match?.[2]?.toLowerCase());
  if (match === null || unit === undefined)
    throw new CommandError(`--amount takes a number with its unit (${LOG_UNITS.join(', ')}), not ${text}`, EXIT.usage);
  return { value: Number(match[1]!.replace(',', '.')), unit };
}
