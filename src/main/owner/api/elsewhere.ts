import type { CareFault } from '../../../shared/care/faults.ts';
import type { MethodName } from '../../../shared/owner-api/contract.ts';
import { isOwnMachine } from '../../../shared/private-address.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Checked } from '../handlers.ts';

// An owner who is paired from elsewhere must not be able to find out which files this machine has and what listens on
// it. Otherwise the thief of a phone could explore the machine.

type Json = Record<string, unknown>;

/** Faults that reveal whether a path exists, or what is there. */
const TELLING: readonly CareFault[] = ['no_file', 'no_folder', 'not_a_backup', 'not_empty', 'refused', 'bad_data'];
const TELLING_MOVES = ['not_empty', 'not_writable', 'no_space', 'nested'];
const ONE_FAULT: CareFault = 'refused';
const ONE_MESSAGE = 'it can’t be used; the machine itself tells why';

/** Refuses a call that would make this machine connect to itself. Throws OwnerError. */
export function refuseOwnMachine<M extends MethodName>(method: M, input: Checked<M>): void {
  const named = hostsIn(method, input as Json);
  if (named.some(isOwnMachine)) throw new OwnerError('forbidden', 'only at the machine itself');
}

/** Returns an answer that is the same whether or not the path in the call exists. */
export function answerElsewhere(method: MethodName, value: unknown): unknown {
  if (method === 'door') return withoutCertificateProblem(value as Json);
  if (!METHODS_OF_PATHS.has(method)) return value;
  return masked(value);
}

const METHODS_OF_PATHS = new Set<MethodName>([
  ...(['backups', 'planBackups', 'listBackups', 'backupFile', 'checkBackup', 'restoreBackup'] as const),
  ...(['confirmBackupFolder', 'exports', 'beginExport', 'moveData', 'getMoves', 'useDataDir'] as const),
  ...(['connections', 'setConnectionSecrets', 'testMqtt'] as const),
]);

function hostsIn(method: MethodName, input: Json): string[] {
  if (method === 'askDevice' || method === 'pointDevice') {
    const address = String(input.address ?? '')
      .trim()
      .replace(/^http:\/\//i, '');
    const bracketed = /^\[([^\]]+)\]/.exec(address)?.[1]?.replace('%25', '%');
    return [bracketed ?? address.replace(/\/.*$/, ''), ...hostOf(`http://${address}`)];
  }
  if (method === 'lookAtNode' || method === 'addNode') return hostOf(input.link);
  if (method === 'setSettings') return hostOf((input.change as Json).mqttUrl);
  if (method !== 'writeAlertChannel') return [];
  const { url, server, host } = (input.channel as Json).target as Json;
  return [...hostOf(url), ...hostOf(server), ...(typeof host === 'string' ? [host] : [])];
}

function hostOf(url: unknown): string[] {
  return typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname.replace(/^\[|\]$/g, '')] : [];
}

function withoutCertificateProblem(view: Json): Json {
  const { door, certificateProblem } = view as { door: Json; certificateProblem: unknown };
  return {
    ...view,
    door: door.reason === 'certificate' ? { ...door, detail: null } : door,
    certificateProblem: certificateProblem === null ? null : ONE_MESSAGE,
  };
}

/** Masks every fault in a value, and every problem of a move. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    name === 'problem' && TELLING_MOVES.includes(String(each)) ? 'not_writable' : masked(each),
  ]);
  const copy = Object.fromEntries(entries) as Json;
  // The fault is about the file with the certificate authority of a broker.
  if (copy.fault === 'ca_file') return { ...copy, detail: ONE_MESSAGE };
  const isTelling = TELLING.includes(copy.fault as CareFault) || copy.phase === 'failed';
  if (!isTelling || typeof copy.message !== 'string') return copy;
  return { ...copy, ...('fault' in copy ? { fault: ONE_FAULT } : {}), message: ONE_MESSAGE };
}
