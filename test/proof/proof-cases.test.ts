import { expect, it, test } from 'vitest';
import { sha256, verifyEd25519 } from '../../src/main/proof/log-key.ts';
import { verify } from '../../src/shared/crypto/ed25519.ts';
import { ProofCheck } from '../../src/shared/proof/proof-file.ts';
import { LOGS } from '../support/proof-cases/logs.ts';
import { OPENED } from '../support/proof-cases/opened.ts';
import { edges, SIGNED } from '../support/proof-cases/signed.ts';
import { WHOLE } from '../support/proof-cases/whole.ts';
import { WITNESSES } from '../support/proof-cases/witnesses.ts';
import { verifyStandalone } from '../support/standalone-verifier.ts';

const cases = [...SIGNED, ...edges(), ...WHOLE, ...LOGS, ...WITNESSES, ...OPENED].map(
  ([name, claim, proof, counts]) => ({ name, claim, ...(claim === null ? { counts } : {}), proof }),
);

it('are unchanged, byte by byte', async () => {
  const lines = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
  await expect(lines).toMatchFileSnapshot('../vectors/proof-cases.ndjson');
});

test.each(cases)('$name: $claim', async ({ proof, claim, counts }) => {
  // libsodium checks in the node, JavaScript in the page.
  for (const verifyHere of [verifyEd25519, verify]) {
    const check = new ProofCheck({ sha256, verify: verifyHere });
    check.take(Buffer.from(proof));
    const proven = check.finish();
    expect(check.fault?.claim ?? null, check.fault?.reason).toBe(claim);
    if (proven !== null) expect([proven.readings, proven.signed, proven.signedValues]).toEqual(counts);
  }
  const { claim: refused, stdout } = await verifyStandalone(proof);
  expect(refused, stdout).toBe(claim);
  const [, signed, readings, all] = /signed by the device: (\d+) of (\d+) readings; in (\d+)/.exec(stdout) ?? [];
  if (claim === null) expect([readings, signed, all].map(Number)).toEqual(counts);
});
