import { displayText, shortId } from './display-text.ts';
import type { AuditEntry } from './owner-api/audit.ts';
import { AUDIT_KINDS, type AuditKind } from './owner-api/audit-kinds.ts';
import type { TextsOf } from './texts/typed-keys.ts';

/** The longest shown text of an entry, such as a path, in characters. */
const MAX_LENGTH = 120;

const KNOWN: ReadonlySet<string> = new Set(AUDIT_KINDS);

/** Describes an entry of the audit log in one sentence. `nameOf` gives the name of a device by its id. */
export function auditSentence(
  { kind, details }: Pick<AuditEntry, 'kind' | 'details'>,
  t: TextsOf<'audit'>,
  nameOf: (id: string) => string | undefined = () => undefined,
): string {
  if (!KNOWN.has(kind)) return t('kind.unknown', { kind: displayText(kind) });
  const { name, id, node, device, key } = details;
  const shown: Record<string, string | number> = {};
  for (const [each, value] of Object.entries(details)) {
    shown[each] =
      typeof value === 'number'
        ? value
        : displayText(Array.isArray(value) ? value.join(', ') : String(value), MAX_LENGTH);
  }
  const fallback = [id, node].find((each) => typeof each === 'string');
  if (name === undefined) shown.name = fallback === undefined ? '' : shortId(String(fallback));
  if (typeof device === 'string') shown.device = displayText(nameOf(device) ?? '') || shortId(device);
  if (typeof key === 'string') shown.key = shortId(key);
  // Plural forms need a number; the other values depend on the kind.
  const say = t as unknown as (key: `kind.${AuditKind}`, values: object) => string;
  return say(`kind.${kind as AuditKind}`, { count: 0, ...shown });
}
