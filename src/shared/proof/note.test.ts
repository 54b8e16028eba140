import { createHash, createPublicKey, verify as verifyWith } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { publicKeyOf, sign } from '../crypto/ed25519.ts';
import {
  checkpointText,
  cosign,
  formatKey,
  formatNote,
  type NoteKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  parseSize,
  SignatureType,
  signatureOf,
  signNote,
} from './note.ts';

const sha256 = (data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest());
const verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) =>
  verifyWith(null, message, keyOf(publicKey), signature);
const keyOf = (publicKey: Uint8Array) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  });
const checks = { sha256, verify };

/** The example of c2sp.org/signed-note. */
const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

const seed = new Uint8Array(32).fill(7);
const own: NoteKey = { name: 'example.org/log', type: SignatureType.ED25519, publicKey: publicKeyOf(seed) };
const witness: NoteKey = { ...own, name: 'example.org/witness', type: SignatureType.COSIGNATURE };
const TEXT = checkpointText({ origin: 'example.org/log', size: 20_852_163, root: new Uint8Array(32).fill(9) });

it('reads and checks the example of the specification', () => {
  const key = parseKey(sha256, KEY)!;
  expect(signatureOf(checks, parseNote(NOTE)!, key)).toEqual({ state: 'good', at: null });
  expect(formatKey(sha256, key)).toBe(KEY);
  expect(formatNote(parseNote(NOTE)!)).toBe(NOTE);
});

it('signs and cosigns what it reads again', () => {
  const signatures = [
    signNote(sha256, TEXT, own, (message) => sign(message, seed)),
    cosign(sha256, TEXT, witness, 1_679_315_147, (message) => sign(message, seed)),
  ];
  const note = parseNote(formatNote({ text: TEXT, signatures }))!;
  expect(parseCheckpoint(note.text)).toMatchObject({ origin: 'example.org/log', size: 20_852_163 });
  expect(signatureOf(checks, note, own)).toEqual({ state: 'good', at: null });
  expect(signatureOf(checks, note, witness)).toEqual({ state: 'good', at: 1_679_315_147 });
  expect(signatureOf(checks, note, { ...own, name: 'example.org/other' })).toEqual({ state: 'missing' });
});

test('detects every changed character of a signed note', () => {
  const key = parseKey(sha256, KEY)!;
  for (let at = 0; at < NOTE.length; at += 1) {
    const code = NOTE.charCodeAt(at);
    const changed = NOTE.slice(0, at) + String.fromCharCode(code ^ 1) + NOTE.slice(at + 1);
    const note = parseNote(changed);
    expect(note !== null && signatureOf(checks, note, key).state === 'good', JSON.stringify(changed)).toBe(false);
  }
});

describe('refuses any other spelling', () => {
  test.each(['', ' 1', '1 ', '01', '-1', '+1', '0x10', '1e3', '1.0', '9007199254740992', '١'])(
    'a size "%s"',
    (text) => {
      expect(parseSize(text)).toBeNull();
      expect(parseCheckpoint(`log\n${text}\n${'A'.repeat(43)}=\n`)).toBeNull();
    },
  );

  test.each([
    ['a line more', `log\n1\n${'A'.repeat(43)}=\nmore\n`],
    ['an empty origin', `\n1\n${'A'.repeat(43)}=\n`],
    ['no final newline', `log\n1\n${'A'.repeat(43)}=`],
    ['base64 with bits left over', `log\n1\n${'A'.repeat(42)}B=\n`],
    ['base64 without padding', `log\n1\n${'A'.repeat(43)}\n`],
    ['a root of another length', `log\n1\n${'A'.repeat(40)}\n`],
  ])('a checkpoint with %s', (_what, text) => expect(parseCheckpoint(text)).toBeNull());

  test.each([
    ['no signature', 'text\n\n'],
    ['no empty line', 'text\n— a AAAAAAAA\n'],
    ['no final newline', 'text\n\n— a AAAAAAAA'],
    ['a carriage return', 'text\r\n\n— a AAAAAAAA\n'],
    ['a hyphen for the dash', 'text\n\n- a AAAAAAAA\n'],
    ['a space in the name', 'text\n\n— a b AAAAAAAA\n'],
    ['a plus in the name', 'text\n\n— a+b AAAAAAAA\n'],
    ['too many signatures', `text\n\n${'— a AAAAAAAA\n'.repeat(101)}`],
    ['a signature of the key id alone', 'text\n\n— a AAAAAA==\n'],
  ])('a note with %s', (_what, text) => expect(parseNote(text)).toBeNull());

  test.each([KEY.replace('530d903a', '530d903b'), KEY.toUpperCase(), `${KEY}=`, KEY.replace('+Ae', '+Ag'), ''])(
    'the key %s',
    (text) => expect(parseKey(sha256, text)).toBeNull(),
  );

  test('the text of a note ends at its last empty line', () => {
    expect(parseNote('one\n\ntwo\n\n— a AAAAAAAA\n')!.text).toBe('one\n\ntwo\n');
  });
});
