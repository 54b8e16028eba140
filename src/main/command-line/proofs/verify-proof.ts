import { createReadStream } from 'node:fs';
import { formatKey } from '../../../shared/proof/note.ts';
import { checkProof, ProofCheck, type ProofFault, type Proven } from '../../../shared/proof/proof-file.ts';
import { sha256, verifyEd25519 } from '../../proof/log-key.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type Output, when } from '../output.ts';

/** Verifies a proof and says what it shows, a line for each claim. `wanted` is the log's key that it must be of; null: any. */
export async function verifyProof(file: string, wanted: string | null, output: Output): Promise<ExitCode | undefined> {
  const check = new ProofCheck({ sha256, verify: verifyEd25519 });
  const proven = await checkProof(check, createReadStream(file, 'utf8')).catch((error: Error) => {
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
  const { checkpoint, signatures, corrections, ...rest } = proven;
  const answer = {
    ...rest,
    log,
    treeSize: checkpoint.size,
    corrections,
    signatures: signatures.map(({ name }) => name),
  };
  output.answer({ file, isProven: true, ...answer }, () => provenLines(proven, log!));
  return undefined;
}

const CLAIMS: Readonly<Record<ProofFault['claim'], string>> = {
  whole: 'the file is a whole proof',
  checkpoint: 'the log signed the checkpoint',
  signed: 'signed by the device',
  kept: 'kept unchanged by the node',
};

function faultLines({ claim, line, reason }: ProofFault): string[] {
  return [`REFUSED  ${CLAIMS[claim]}: line ${line}: ${reason}`, '', 'Nothing in this file is proven.'];
}

function provenLines(
  { device, readings, signed, signedValues, sealed, corrections, ...rest }: Proven,
  log: string,
): string[] {
  const { first, last, checkpoint, signatures } = rest;
  const time = (text: string | null) => (text === null ? '–' : when(Number(text)));
  return [
    `ok  ${CLAIMS.whole}: ${readings} readings of device ${device}, measured ${time(first)} to ${time(last)}`,
    `ok  ${CLAIMS.signed}: ${signed} of ${readings} readings; in ${signedValues} of them every plain value was signed`,
    `ok  ${CLAIMS.kept}: ${readings} readings, with values, times of arrival and ${sealed} with sealed values`,
    `ok  ${CLAIMS.checkpoint}: a tree of ${checkpoint.size} entries, by ${log}`,
    ...(corrections.length === 0 ? [] : [`    times of arrival were corrected ${corrections.length} times since`]),
    ...(signatures.length > 1
      ? [`    ${signatures.length - 1} more signatures are in it, which were not checked`]
      : []),
    '',
    'Compare the key of the log with one that you have from elsewhere (--log). This does not prove that a sensor was right,',
    'that no reading was left out, or that a time is true.',
  ];
}
