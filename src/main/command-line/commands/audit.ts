import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { pino } from 'pino';
import { auditSentence } from '../../../shared/audit-sentence.ts';
import type { AuditEntry } from '../../../shared/owner-api/audit.ts';
import {
  AUDIT_ACTORS,
  AUDIT_GROUPS,
  type AuditActorKind,
  type AuditGroup,
} from '../../../shared/owner-api/audit-kinds.ts';
import { AUDIT_FILE } from '../../audit/audit-log.ts';
import { AuditReader, filtered } from '../../audit/audit-reader.ts';
import type { Break, Checked } from '../../audit/chain.ts';
import { auditTexts } from '../../common/texts.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { pairs, table, when } from '../output.ts';
import { requireNode } from '../own-node.ts';
import { readTime } from '../times.ts';

interface AuditFlags {
  readonly since?: string;
  readonly limit: string;
  readonly about?: AuditGroup;
  readonly by?: AuditActorKind;
  readonly verify?: true;
}

const DEFAULT_LIMIT = '50';

const REASONS: Readonly<Record<Break['reason'], string>> = {
  unreadable: 'is not an entry',
  edited: 'was changed after it was written',
  order: 'does not follow the line before it: lines between them are missing or moved',
  start: 'is not where the log began: earlier lines are missing',
  end: 'is not where the log ended: later lines are missing or changed',
  head: 'may not be where the log ended: audit-head.json is missing',
};

/** `audit`: who did what. Works while a node runs. */
export const addAudit: AddCommand = (program, act) => {
  program
    .command('audit')
    .description('show what was done to the node, by whom and from where, the latest first')
    .option('--since <time>', 'from this time on: 2h (ago), 3d, 2026-05-01, 2026-05-01T12:00')
    .option('--limit <number>', 'at most this many', DEFAULT_LIMIT)
    .addOption(new Option('--about <subject>', 'only about this').choices(Object.keys(AUDIT_GROUPS)))
    .addOption(new Option('--by <who>', 'only what these did').choices(AUDIT_ACTORS))
    .option('--verify', 'check that no entry was changed, removed or moved; ends with 3 if one was')
    .action(
      act<[AuditFlags]>(async ({ dataDir, output }, flags) => {
        const limit = Number(flags.limit);
        if (!(Number.isInteger(limit) && limit >= 1))
          throw new CommandError('--limit takes a whole number of at least 1', EXIT.usage);
        const since = flags.since === undefined ? 0 : readTime(flags.since, Date.now());
        // If the data is lost, the log may still be there and useful.
        if (!existsSync(join(dataDir, AUDIT_FILE))) requireNode(dataDir);
        const checked = await new AuditReader({ path: dataDir, log: pino({ level: 'silent' }) }).read();
        if (flags.verify) {
          output.answer(verdictOf(checked), () => verdictLines(checked));
          return checked.breaks.length === 0 ? undefined : EXIT.damaged;
        }
        const kinds = flags.about === undefined ? null : AUDIT_GROUPS[flags.about];
        const lines = checked.lines.filter(({ entry }) => entry.at >= since);
        const { entries } = filtered({ lines }, { kinds, by: flags.by ?? null, before: null, limit });
        output.answer(entries, () => table(['time', 'who', 'from', 'what'], entries.map(row)));
        if (checked.breaks.length > 0)
          output.note('wellhouse: this log was changed or cut: "audit --verify" shows where');
        return undefined;
      }),
    );
};

function row({ at, who, from, ...entry }: AuditEntry): (string | null)[] {
  const t = auditTexts();
  const kind = t(`who.${who.by}`);
  return [when(at), who.name === null ? kind : `${kind}: ${who.name}`, from, auditSentence(entry, t)];
}

function verdictOf({ lines, breaks, torn }: Checked) {
  const [first, last] = [lines[0], lines.at(-1)];
  return {
    isWhole: breaks.length === 0,
    entries: lines.length,
    first: first === undefined ? null : { n: first.n, at: first.entry.at },
    last: last === undefined ? null : { n: last.n, at: last.entry.at, hash: last.hash },
    tornLines: torn,
    breaks,
  };
}

function verdictLines(checked: Checked): string[] {
  const { entries, first, last, breaks, tornLines } = verdictOf(checked);
  return [
    breaks.length === 0 ? 'The audit log is whole.' : 'THE AUDIT LOG WAS CHANGED OR CUT:',
    ...breaks.map(({ file, line, reason }) => `  ${file}, line ${line} ${REASONS[reason]}`),
    '',
    ...pairs([
      ['entries', entries],
      ['first', first === null ? null : `number ${first.n}, ${when(first.at)}`],
      ['last', last === null ? null : `number ${last.n}, ${when(last.at)}`],
      ['its hash', last?.hash ?? null],
      ...(tornLines === 0 ? [] : [['half lines of crashes', tornLines] as const]),
    ]),
  ];
}
