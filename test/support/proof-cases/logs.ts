import { formatKey, SignatureType, signatureLine, signNote } from '../../../src/shared/proof/note.ts';
import {
  badLine,
  base64,
  cosignedBy,
  FAR,
  LOG,
  LOG_NAME,
  logKey,
  of,
  type ProofCase,
  proofOf,
  sha256,
  signedBy,
  UNKNOWN,
} from './make-proof.ts';

/** Cases about checkpoints and paths. */
export const LOGS: readonly ProofCase[] = [
  ['a leaf far inside a large tree', null, of({}, { indexes: [FAR], size: 2 ** 53 - 1 }), [1, 1, 1]],
  ['the last leaf of a large tree', null, of({}, { indexes: [FAR], size: FAR + 1 }), [1, 1, 1]],
  ['an index beyond the tree', 'kept', of({}, { change: (text) => text.replace('"index":0', '"index":1') })],
  [
    'a path with a hash more',
    'kept',
    of({}, { change: (text) => text.replace('"path":[]', `"path":["${base64(new Uint8Array(32))}"]`) }),
  ],
  [
    'a path whose base64 lacks its padding',
    'kept',
    of({}, { size: 2, change: (text) => text.replace(/("path":\["[^=]*)=/, '$1') }),
  ],
  [
    'a path whose base64 has bits left over',
    'kept',
    of({}, { size: 2, change: (text) => text.replace(/("path":\["[^=]*).=/, '$1B=') }),
  ],
  ['a size of 2^53', 'checkpoint', of({}, { checkpoint: (text) => text.replace('\n1\n', '\n9007199254740992\n') })],
  ['a size with a leading zero', 'checkpoint', of({}, { checkpoint: (text) => text.replace('\n1\n', '\n01\n') })],
  ['a checkpoint with an extension line', 'checkpoint', of({}, { checkpoint: (text) => `${text}more\n` })],
  ['a checkpoint of another origin', 'checkpoint', of({}, { checkpoint: (text) => text.replace('/log', '/gol') })],
  ['a checkpoint without final newline', 'checkpoint', of({}, { checkpoint: (text) => text.slice(0, -1) })],
  ['an empty tree with its root', null, proofOf([]), [0, 0, 0]],
  [
    'an empty tree with another root',
    'checkpoint',
    proofOf([], { checkpoint: (text) => text.replace(/[^\n]{44}/, base64(new Uint8Array(32))) }),
  ],
  [
    'the log as a key that cosigns',
    'checkpoint',
    of(
      {},
      {
        log: formatKey(sha256, logKey({ type: SignatureType.COSIGNATURE })),
        signatures: (text) => [cosignedBy(text, logKey({ type: SignatureType.COSIGNATURE }), { by: LOG })],
      },
    ),
  ],
  [
    'the log as a key of the type that cosigns, with a plain signature',
    'checkpoint',
    of(
      {},
      {
        log: formatKey(sha256, logKey({ type: SignatureType.COSIGNATURE })),
        signatures: (text) => [signedBy(text, logKey({ type: SignatureType.COSIGNATURE }))],
      },
    ),
  ],
  [
    'a path that is too short for the size of the tree',
    'kept',
    of({}, { checkpoint: (text) => text.replace('\n1\n', '\n2\n') }),
  ],
  [
    'a log key with another id',
    'checkpoint',
    of({}, { log: formatKey(sha256, logKey()).replace(/\+[0-9a-f]{8}\+/, '+00000000+') }),
  ],
  ['no signature of the log', 'checkpoint', of({}, { signatures: () => [UNKNOWN] })],
  ['two signatures of the log', 'checkpoint', of({}, { signatures: (text) => [signedBy(text), signedBy(text)] })],
  [
    'a good and a bad signature of the log',
    'checkpoint',
    of({}, { signatures: (text) => [signedBy(text), badLine(text)] }),
  ],
  [
    'other signatures, which are not looked at',
    null,
    of({}, { signatures: (text) => [...Array.from({ length: 99 }, () => UNKNOWN), signedBy(text)] }),
    [1, 1, 1],
  ],
  [
    'more than a hundred signatures',
    'checkpoint',
    of({}, { signatures: (text) => [...Array.from({ length: 100 }, () => UNKNOWN), signedBy(text)] }),
  ],
  [
    'another signature with a hyphen',
    'checkpoint',
    of({}, { signatures: (text) => [signedBy(text), UNKNOWN.replace('—', '-')] }),
  ],
  [
    'another signature with a no-break space in its name',
    'checkpoint',
    of({}, { signatures: (text) => [signedBy(text), UNKNOWN.replace('/', '\u00a0')] }),
  ],
  [
    'another signature with a zero width no-break space in its name',
    null,
    of({}, { signatures: (text) => [signedBy(text), UNKNOWN.replace('/', '\ufeff')] }),
    [1, 1, 1],
  ],
  [
    'another signature without padding',
    'checkpoint',
    of({}, { signatures: (text) => [signedBy(text), '— example.org/other AAAAAAAAAA'] }),
  ],
  [
    'another signature that is an id alone',
    'checkpoint',
    of({}, { signatures: (text) => [signedBy(text), '— example.org/other AAAAAA=='] }),
  ],
  [
    'a control character in a checkpoint',
    'checkpoint',
    of({}, { signatures: (text) => [signedBy(text), UNKNOWN.replace('/', '\u001f')] }),
  ],
  [
    'the log signature with a byte more',
    'checkpoint',
    of(
      {},
      {
        signatures: (text) => [
          signatureLine({
            name: LOG_NAME,
            bytes: Uint8Array.of(...signNote(sha256, text, logKey(), LOG.sign).bytes, 0),
          }),
        ],
      },
    ),
  ],
];
