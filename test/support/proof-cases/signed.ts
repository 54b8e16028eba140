import { edgeSignatures } from '../ed25519-edges.ts';
import { AT, double, hex, ID, OTHER, of, PH, type ProofCase, rawOf, SEALED, utf8 } from './make-proof.ts';

/** Cases about the claim "signed": forged or unusual readings that are in the log. */
export const SIGNED: readonly ProofCase[] = [
  ['signed by another key', 'signed', of({ signature: OTHER.sign(utf8(rawOf('|ph=6.20'))) })],
  ['signed for another device', 'signed', of({ raw: rawOf('|ph=6.20', `${hex(OTHER.publicKey)}|1|${AT + 60_000}|0`) })],
  ['signed for another seq', 'signed', of({ raw: rawOf('|ph=6.20', `${ID}|2|${AT + 60_000}|0`) })],
  ['signed for another timestamp', 'signed', of({ raw: rawOf('|ph=6.20', `${ID}|1|${AT}|0`) })],
  ['signed for another key version', 'signed', of({ raw: rawOf('|ph=6.20', `${ID}|1|${AT + 60_000}|1`) })],
  [
    'signed with leading zeroes and hex in upper case',
    null,
    of({ raw: rawOf('|ph=6.20', `${ID.toUpperCase()}|01|0${AT + 60_000}|000`) }),
    [1, 1, 1],
  ],
  ['signed with another value', 'signed', of({ raw: rawOf('|ph=6.30') })],
  ['a value at half of the last decimal', null, of({ fields: [`plain ph ${PH.half}`] }), [1, 1, 1]],
  [
    'a value at half of the last decimal, and a little more as binary fractions have it',
    null,
    of({ raw: rawOf('|ph=6.10'), fields: [`plain ph ${double(6.105)}`] }),
    [1, 1, 1],
  ],
  ['a value beyond half of the last decimal', 'signed', of({ fields: [`plain ph ${PH.beyond}`] })],
  ['a value with an exponent', null, of({ raw: rawOf('|ph= +.62E+01 ') }), [1, 1, 1]],
  ['a value whose exponent makes it coarse', null, of({ raw: rawOf('|ph=1e1') }), [1, 1, 1]],
  ['a value beyond a coarse one', 'signed', of({ raw: rawOf('|ph=2e1') })],
  [
    'a value of 0 with an exponent of many digits',
    null,
    of({ raw: rawOf(`|ph=1e-${'9'.repeat(40)}`), fields: [`plain ph ${double(0)}`] }),
    [1, 1, 1],
  ],
  ['a value with an exponent of many digits, not of 0', 'signed', of({ raw: rawOf(`|ph=1e-${'9'.repeat(40)}`) })],
  ['an infinite signed value', 'signed', of({ raw: rawOf('|ph=6.2e999') })],
  ['a signed value of 0 with an infinite tolerance', 'signed', of({ raw: rawOf('|ph=0e999') })],
  ['a name twice, of which the last agrees', null, of({ raw: rawOf('|ph=9|ph=6.20') }), [1, 1, 0]],
  ['a name twice, of which the first agrees', 'signed', of({ raw: rawOf('|ph=6.20|ph=9') })],
  ['an unknown name twice', null, of({ raw: rawOf('|ph=6.20|co2=1|co2=2') }), [1, 1, 0]],
  ['a plain value that is not signed', null, of({ raw: rawOf('') }), [1, 1, 0]],
  [
    'a sealed value, and the signed number of that name',
    null,
    of({ raw: rawOf('|ph=9'), fields: [SEALED(32)] }),
    [1, 1, 1],
  ],
  ['a raw string of another form, with another value', null, of({ raw: `pH 9 of ${ID}` }), [1, 1, 0]],
  ['an empty raw string', null, of({ raw: '' }), [1, 1, 0]],
  ['a header with a part that is not a number', null, of({ raw: rawOf('|ph=9|') }), [1, 1, 0]],
  ['no signature kept', null, of({ raw: null }), [1, 0, 0]],
  ['no field', null, of({ raw: rawOf(''), fields: [] }), [1, 1, 1]],
  ['minus zero', null, of({ raw: rawOf('|ph=0'), fields: [`plain ph ${double(-0)}`] }), [1, 1, 1]],
];

/** Returns cases with signatures of the device on which verifiers differ. */
export function edges(): ProofCase[] {
  const text = (key: string) => rawOf('|ph=6.20', `${key}|1|${AT + 60_000}|0`);
  // The raw string contains the key, so each edge case is made for the string with its key.
  const keys = edgeSignatures(utf8('')).map(({ key }) => key);
  return keys.map((key, at) => {
    const { what, signature, isGood } = edgeSignatures(utf8(text(key)))[at]!;
    const proof = of({ device: key, raw: text(key), signature }, { device: key });
    return [`Ed25519: ${what}`, isGood ? null : 'signed', proof, [1, 1, 1]];
  });
}
