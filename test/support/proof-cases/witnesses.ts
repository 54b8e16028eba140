import { SignatureType } from '../../../src/shared/proof/note.ts';
import {
  base64,
  cosignedBy,
  LOG,
  OTHER,
  of,
  type ProofCase,
  proofOf,
  signedBy,
  WITNESS,
  witnessKey,
} from './make-proof.ts';

/** Cases about witnesses. */
export const WITNESSES: readonly ProofCase[] = [
  ['a witness of an earlier tree', null, of({}, { size: 9, witnesses: [{ size: 5 }] }), [1, 1, 1]],
  ['a witness of the same tree', null, of({}, { size: 9, witnesses: [{ size: 9 }] }), [1, 1, 1]],
  [
    'a witness of the same size, with a proof',
    'witnessed',
    of({}, { size: 9, witnesses: [{ size: 9, consistency: [base64(new Uint8Array(32))] }] }),
  ],
  [
    'a witness of the same size, with another root',
    'witnessed',
    of({}, { size: 9, witnesses: [{ size: 9, root: new Uint8Array(32) }] }),
  ],
  ['a witness of a larger tree', 'witnessed', of({}, { size: 9, witnesses: [{ size: 10, consistency: [] }] })],
  ['a witness of the empty tree', null, of({}, { size: 9, witnesses: [{ size: 0 }] }), [1, 1, 1]],
  [
    'a witness of the empty tree, with a proof',
    'witnessed',
    of({}, { size: 9, witnesses: [{ size: 0, consistency: [base64(new Uint8Array(32))] }] }),
  ],
  [
    'a witness of the empty tree, with another root',
    'witnessed',
    of({}, { size: 9, witnesses: [{ size: 0, root: new Uint8Array(32) }] }),
  ],
  ['a witness of a power of two', null, of({}, { size: 9, witnesses: [{ size: 8 }] }), [1, 1, 1]],
  [
    'a witness of a large tree, one less than a power of two',
    null,
    of({}, { size: 2 ** 53 - 1, witnesses: [{ size: 2 ** 52 - 1 }] }),
    [1, 1, 1],
  ],
  [
    'a witness of a large tree, one more than a power of two',
    null,
    of({}, { size: 2 ** 53 - 1, witnesses: [{ size: 2 ** 52 + 1 }] }),
    [1, 1, 1],
  ],
  ['a witness of another tree', 'witnessed', of({}, { size: 9, witnesses: [{ size: 5, root: new Uint8Array(32) }] })],
  [
    'a witness without its signature',
    'witnessed',
    of({}, { witnesses: [{ size: 1, lines: (text) => [signedBy(text)] }] }),
  ],
  [
    'a witness without the signature of the log',
    'witnessed',
    of({}, { witnesses: [{ size: 1, lines: (text) => [cosignedBy(text)] }] }),
  ],
  [
    'two signatures of a witness',
    'witnessed',
    of(
      {},
      {
        witnesses: [
          { size: 1, lines: (text) => [signedBy(text), cosignedBy(text), cosignedBy(text, witnessKey(), { at: 5 })] },
        ],
      },
    ),
  ],
  [
    'a time of 2^53',
    'witnessed',
    of(
      {},
      { witnesses: [{ size: 1, lines: (text) => [signedBy(text), cosignedBy(text, witnessKey(), { at: 2 ** 53 })] }] },
    ),
  ],
  [
    'a key of a witness of the type that signs without a time, with a time',
    'witnessed',
    of({}, { witnesses: [{ size: 1, key: witnessKey({ type: SignatureType.ED25519 }) }] }),
  ],
  [
    'a newer tree that a witness did not see the beginning of',
    'witnessed',
    proofOf([], {
      size: 9,
      checkpoint: (text) => text.replace(/[^\n]{44}/, base64(new Uint8Array(32))),
      witnesses: [{ size: 5 }],
    }),
  ],
  [
    'a consistency proof that is too short for the size of the tree',
    'witnessed',
    proofOf([], { size: 8, checkpoint: (text) => text.replace('\n8\n', '\n16\n'), witnesses: [{ size: 5 }] }),
  ],
  [
    'a key of a witness that signs without a time',
    'witnessed',
    of(
      {},
      {
        witnesses: [
          {
            size: 1,
            key: witnessKey({ type: SignatureType.ED25519 }),
            lines: (text) => [signedBy(text), signedBy(text, witnessKey({ type: SignatureType.ED25519 }), WITNESS)],
          },
        ],
      },
    ),
  ],
  [
    'two witnesses',
    null,
    of(
      {},
      {
        witnesses: [
          { size: 1 },
          {
            size: 1,
            key: witnessKey({ publicKey: OTHER.publicKey }),
            lines: (text) => [
              signedBy(text),
              cosignedBy(text, witnessKey({ publicKey: OTHER.publicKey }), { by: OTHER }),
            ],
          },
        ],
      },
    ),
    [1, 1, 1],
  ],
  [
    'a witness under two names',
    'witnessed',
    of({}, { witnesses: [{ size: 1 }, { size: 1, key: witnessKey({ name: 'example.org/another' }) }] }),
  ],
  [
    'the log as its own witness',
    'witnessed',
    of(
      {},
      {
        witnesses: [
          {
            size: 1,
            key: witnessKey({ publicKey: LOG.publicKey }),
            lines: (text) => [signedBy(text), cosignedBy(text, witnessKey({ publicKey: LOG.publicKey }), { by: LOG })],
          },
        ],
      },
    ),
  ],
  [
    'a hash of a wrong length in the proof of a witness',
    'witnessed',
    of({}, { size: 9, witnesses: [{ size: 5, consistency: [base64(new Uint8Array(31))] }] }),
  ],
];
