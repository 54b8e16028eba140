import { createReadStream } from 'node:fs';
import type { RegistrationEntry } from '../../../shared/proof/leaf.ts';
import { formatKey } from '../../../shared/proof/note.ts';
import { checkProof, ProofCheck, type ProofFault, type Proven } from '../../../shared/proof/proof-file.ts';
import { parseJson64 } from '../../../shared/protocol/json64.ts';
import { sha256, verifyEd25519 } from '../../proof/log-key.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type Output, when } from '../output.ts';

/**
 * Verifies a proof and prints what it proves, a line for each claim. `wanted` is the log's key that the proof must
 * have; null for any.
 */
export async function verifyProof(file: string, wanted: string | null, output: Output): Promise<ExitCode | undefined> {
  const check = new ProofCheck({ sha256, verify: verifyEd25519 });
  const proven = await checkProof(check, createReadStream(file)).catch((error: Error) => {
    throw new CommandError(`${file} can't be read (${error.message})`, EXIT.place);
  });
  const log = proven === null ? null : formatKey(sha256, proven.log);
  if (proven !== null && wanted !== null && log !== wanted) {
    const fault: ProofFault = { claim: 'checkpoint', line: 1, reason: `the log has the key ${log}` };
    output.answer({ file, isProven: false, fault }, () => faultLines(fault));
    return EXIT.damaged;
  }
  if (proven === null) {
    output.answer({ file, isProven: false, fault: check.fault }, () => faultLines(check.fault!));
    return EXIT.damaged;
  }
  const { checkpoint, signatures, corrections, registrations, witnesses, ...rest } = proven;
  const answer = {
    ...rest,
    log,
    treeSize: checkpoint.size,
    corrections,
    registrations,
    witnesses: witnesses.map(({ key, ...each }) => ({ key: formatKey(sha256, key), ...each })),
    signatures: signatures.map(({ name }) => name),
  };
  output.answer({ file, isProven: true, ...answer }, () => provenLines(proven, log!));
  return undefined;
}

const CLAIMS: Readonly<Record<ProofFault['claim'], string>> = {
  whole: 'the file is a whole proof',
  checkpoint: 'the log signed the checkpoint',
  witnessed: 'a witness saw the log',
  signed: 'signed by the device',
  kept: 'kept unchanged by the node',
  opened: 'opened, said by the owner',
};

function faultLines({ claim, line, reason }: ProofFault): string[] {
  return [`REFUSED  ${CLAIMS[claim]}: line ${line}: ${reason}`, '', 'Nothing in this file is proven.'];
}

const WAYS: Readonly<Record<RegistrationEntry['way'], string>> = {
  gate: 'by itself at the gate, confirmed by a signed reading',
  local: 'at the local endpoint',
  public: 'at the public endpoint',
  adopted: 'by adoption',
  imported: 'by an import from another server',
};

/**
 * Describes when and how a device was registered, and its name and owner key in the registration, which is not signed.
 */
function registeredText({ at, way, by, received }: RegistrationEntry): string {
  const said = received === null ? null : (jsonOf(received) as { name?: unknown; ownerPubkey?: unknown } | null);
  const who = by === null ? '' : ` by ${cleanText(jsonOf(by))}`;
  const as = said === null ? '' : `, as ${cleanText(said.name)} of the owner key ${cleanText(said.ownerPubkey)}`;
  return `registered ${when(at)} ${WAYS[way]}${who}${as}`;
}

/** Parses JSON from a file of unknown origin; null if it is invalid. */
function jsonOf(text: string): unknown {
  try {
    return parseJson64(text);
  } catch {
    return null;
  }
}

/** Returns a text from a file of unknown origin on one line. */
function cleanText(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? value : '').slice(0, 300);
}

function provenLines(
  { device, readings, signed, signedValues, sealed, corrections, registrations, ...rest }: Proven,
  log: string,
): string[] {
  const { first, last, checkpoint, signatures, witnesses, opened } = rest;
  const time = (text: string | null) => (text === null ? '–' : when(Number(text)));
  return [
    `ok  ${CLAIMS.whole}: ${readings} readings of device ${device}, measured ${time(first)} to ${time(last)}`,
    `ok  ${CLAIMS.signed}: ${signed} of ${readings} readings; in ${signedValues} of them every plain value was signed`,
    `ok  ${CLAIMS.kept}: ${readings} readings, with values, times of arrival and ${sealed} with sealed values`,
    ...(opened === null
      ? []
      : [
          `ok  ${CLAIMS.opened}: sealed values of ${opened.readings} readings, signed by the owner key ${opened.owner}`,
          `    (${opened.isRegistered ? 'named' : 'NOT named'} in the registration); only the field key could show that they are these`,
        ]),
    `ok  ${CLAIMS.checkpoint}: a tree of ${checkpoint.size} entries, by ${log}`,
    ...witnesses.map(
      ({ key, at, size, readings: seen }) =>
        `ok  ${CLAIMS.witnessed}: a tree of ${size} entries, with ${seen} of these readings, ${when(at * 1000)}, by ${formatKey(sha256, key)}`,
    ),
    ...registrations.map((each) => `    ${registeredText(each)}`),
    ...(corrections.length === 0 ? [] : [`    times of arrival were corrected ${corrections.length} times since`]),
    ...(signatures.length > 1
      ? [`    ${signatures.length - 1} more signatures are in it, which were not checked`]
      : []),
    '',
    'Compare the keys of the log and of witnesses with ones that you have from elsewhere (--log). This does not prove that a sensor was right,',
    'that no reading was left out, or that a time is true.',
  ];
}
