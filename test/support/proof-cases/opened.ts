import { of, type ProofCase, proofOf, RECEIVED, rawOf, registration, SEALED, statement } from './make-proof.ts';

/** Cases about decrypted values. */
export const OPENED: readonly ProofCase[] = [
  [
    'an opened value',
    null,
    of({ raw: rawOf(''), fields: [SEALED(32)] }, { opened: (leaf) => [statement(leaf)] }),
    [1, 1, 1],
  ],
  ['an opened value of a plain field', 'opened', of({}, { opened: (leaf) => [statement(leaf)] })],
  [
    'an opened value that is not a number',
    'opened',
    of({ raw: null, fields: [SEALED(32)] }, { opened: (leaf) => [statement(leaf, { value: 'value ph 7fc00000\n' })] }),
  ],
  [
    'an opened value of another reading',
    'opened',
    of({ raw: null, fields: [SEALED(32)] }, { opened: () => [statement(new Uint8Array(32))] }),
  ],
  [
    'two statements about a reading',
    'whole',
    of({ raw: null, fields: [SEALED(32)] }, { opened: (leaf) => [statement(leaf), statement(leaf)] }),
  ],
  [
    'an opened value without a reading',
    'whole',
    proofOf([registration('gate', RECEIVED)], { opened: (leaf) => [statement(leaf)] }),
  ],
  [
    'an opened value under a key of small order',
    'opened',
    of(
      { raw: null, fields: [SEALED(32)] },
      {
        opened: (leaf) => [
          statement(leaf, {
            by: {
              publicKey: new Uint8Array(32).with(0, 1),
              sign: () => Uint8Array.of(...Array.from({ length: 64 }, (_, at) => (at === 0 ? 1 : 0))),
            },
          }),
        ],
      },
    ),
  ],
];
