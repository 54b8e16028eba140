import { pino } from 'pino';
import type { AuditDetails } from '../../shared/owner-api/audit.ts';
import type { AuditKind } from '../../shared/owner-api/audit-kinds.ts';
import { BY_COMMAND, recordOnce } from '../audit/audit-log.ts';
import type { Context } from './context.ts';

/** Adds to the audit log what a command did without a node's owner API. Never rejects. */
export function record({ dataDir, output }: Context, kind: AuditKind, details: AuditDetails = {}): Promise<void> {
  const write = () => output.note('wellhouse: the audit log of this node can’t be written: this action is not in it');
  const log = pino({ level: 'error', base: null }, { write });
  return recordOnce({ path: dataDir, log, now: () => Date.now() }, { who: BY_COMMAND, from: null, kind, details });
}
