// Verifies a proof as docs/proof.md specifies it, with nothing but Node (18 or later):
//
//     node verify-proof.mjs FILE [KEY]
//
// KEY is the key that the log must have. Ends with 0 and a line for each claim, or with 1 and the claim that fails.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';

const FIELDS = ['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'];
const WAYS = ['gate', 'local', 'public', 'adopted', 'imported'];
const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_LINE_BYTES = 2 ** 20;
const MAX_RAW_BYTES = 1024;
/** A nonce of 12 bytes, then 16 to 256 bytes of cipher and tag. */
const [MIN_SEALED_BYTES, MAX_SEALED_BYTES] = [28, 268];

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The escape of half a surrogate pair: no other one that JSON.stringify writes begins so. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud/;

/** Ends the check with the claim that does not hold. @returns {never} */
function refuse(claim, reason) {
  throw Object.assign(new Error(reason), { claim });
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const EIGHTH_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER_Y = [0n, 1n, P - 1n, EIGHTH_Y, P - EIGHTH_Y];
const littleEndian = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** Whether 32 bytes are the only spelling of a point that is not of small order. Whether it is on the curve, OpenSSL says. */
function isPoint(bytes) {
  const y = BigInt.asUintN(255, littleEndian(bytes));
  return y < P && !SMALL_ORDER_Y.includes(y);
}

/** The key that was used last: most signatures of a proof are of one. */
let known = { bytes: Buffer.alloc(0), key: null };

/** Whether an Ed25519 signature of 64 bytes is good by the rule of docs/proof.md. */
function isGood(signature, message, publicKey) {
  const r = signature.subarray(0, 32);
  if (!isPoint(r) || !isPoint(publicKey) || littleEndian(signature.subarray(32)) >= L) return false;
  try {
    if (!publicKey.equals(known.bytes)) {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
      known = { bytes: Buffer.from(publicKey), key: createPublicKey({ key: jwk, format: 'jwk' }) };
    }
    return verify(null, message, known.key, signature);
  } catch {
    return false;
  }
}

/** The bytes of padded base64, of which there is one spelling; null otherwise. */
function base64(text) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** The members of an object must be just these, of these types, in this order. */
function requireMembers(value, types) {
  const found = Object.entries(value).map(([name, member]) => `${name} ${typeof member}`);
  if (found.join() !== types.join()) refuse('whole', 'the line has other members');
  return value;
}

/** The object of a line in its only valid spelling. */
function objectOf(bytes) {
  if (bytes.length > MAX_LINE_BYTES) refuse('whole', 'the line is too long');
  let [line, value] = ['', null];
  try {
    line = UTF8.decode(bytes);
    value = JSON.parse(line);
  } catch {
    refuse('whole', 'the line is not JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || JSON.stringify(value) !== line || LONE_SURROGATE.test(line)) {
    refuse('whole', 'the line is not written as it has to be');
  }
  return value;
}

function readHead(value) {
  const { format, device, log, checkpoint, witnesses } = requireMembers(value, [
    ...['format string', 'device string', 'log string', 'checkpoint string', 'witnesses object'],
  ]);
  if (format !== 'wellhouse-proof/1') refuse('whole', 'the format is not wellhouse-proof/1');
  if (!/^[0-9a-f]{64}$/.test(device)) refuse('whole', 'the device is not a key');
  if (!Array.isArray(witnesses)) refuse('whole', 'the witnesses are not a list');
  const key = readKey(log, 1, 'checkpoint');
  const tree = readCheckpoint(checkpoint, key, 'checkpoint');
  const seen = witnesses.map((witness) => readWitness(witness, key, tree));
  const keys = [key.publicKey, ...seen.map((each) => each.publicKey)].map((each) => each.toString('hex'));
  if (new Set(keys).size < keys.length) refuse('witnessed', 'a witness is there twice, or is the log itself');
  return { device, log, witnesses: seen, ...tree };
}

/** A name has no plus sign and none of the characters that Unicode calls White_Space. */
const KEY = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;
const SIGNATURE = /^— ([^\p{White_Space}+]+) ([A-Za-z0-9+/]+={0,2})$/u;

/** The key of a vkey of a signature type. */
function readKey(text, type, claim) {
  const [, name, id, encoded] = KEY.exec(text) ?? [];
  const material = encoded === undefined ? null : base64(encoded);
  if (material?.length !== 33 || material[0] !== type) refuse(claim, 'a key is not one');
  const keyId = sha256(`${name}\n`, material).subarray(0, 4);
  if (keyId.toString('hex') !== id) refuse(claim, 'a key has another id');
  return { name, keyId, publicKey: material.subarray(1) };
}

/** The text of a note, and the bytes of the one signature by a key. */
function readNote(note, { name, keyId }, claim) {
  const end = note.lastIndexOf('\n\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has none of them but newlines.
  if (end < 0 || !note.endsWith('\n') || /[\0-\x09\x0b-\x1f]/.test(note)) refuse(claim, 'a checkpoint is not a note');
  const signatures = [];
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > 100) refuse(claim, 'a checkpoint has too many signatures');
  for (const line of lines) {
    const [, signer, encoded] = SIGNATURE.exec(line) ?? [];
    const bytes = encoded === undefined ? null : base64(encoded);
    if (bytes === null || bytes.length < 5) refuse(claim, 'a checkpoint has a line that is not a signature');
    if (signer === name && bytes.subarray(0, 4).equals(keyId)) signatures.push(bytes.subarray(4));
  }
  if (signatures.length !== 1) refuse(claim, 'a signature is missing or doubled');
  return { text: note.slice(0, end + 1), signature: signatures[0] };
}

/** The tree of a checkpoint that the log signed. */
function readCheckpoint(note, key, claim) {
  const { text, signature } = readNote(note, key, claim);
  if (signature.length !== 64 || !isGood(signature, Buffer.from(text), key.publicKey)) {
    refuse(claim, 'the signature of the log is bad');
  }
  const [origin, sizeText, rootText, ...rest] = text.split('\n');
  const root = base64(rootText ?? '');
  if (rest.join() !== '' || rest.length !== 1 || root?.length !== 32 || !isSafe(sizeText)) {
    refuse(claim, 'the text of a note is not a checkpoint');
  }
  if (origin !== key.name) refuse(claim, 'a checkpoint is of another log');
  if (sizeText === '0' && !root.equals(sha256())) refuse(claim, 'the root is not that of a tree without entries');
  return { size: Number(sizeText), root };
}

/** The time at which a witness cosigned a checkpoint, in Unix seconds. */
function readCosignature(note, key) {
  const { text, signature } = readNote(note, key, 'witnessed');
  const time = signature.length === 72 ? signature.readBigUInt64BE() : null;
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
  if (time === null || !isSafe(`${time}`) || !isGood(signature.subarray(8), message, key.publicKey)) {
    refuse('witnessed', 'the signature of a witness is bad');
  }
  return Number(time);
}

/** Checks that a witness cosigned a tree of the log that the tree of the proof continues. */
function readWitness(witness, logKey, newer) {
  if (typeof witness !== 'object' || witness === null) refuse('whole', 'a witness is not an object');
  const types = ['key string', 'checkpoint string', 'consistency object'];
  const { key, checkpoint, consistency } = requireMembers(witness, types);
  const witnessKey = readKey(key, 4, 'witnessed');
  const older = readCheckpoint(checkpoint, logKey, 'witnessed');
  const at = readCosignature(checkpoint, witnessKey);
  const hashes = hashesOf(consistency);
  if (hashes === null || !isConsistent(older, newer, hashes)) {
    refuse('witnessed', 'the tree does not continue the one that a witness saw');
  }
  return { key, publicKey: witnessKey.publicKey, at, size: older.size, readings: 0 };
}

/** The hashes of a list in base64; null: it is none. */
function hashesOf(list) {
  if (!Array.isArray(list)) return null;
  const hashes = list.map((hash) => (typeof hash === 'string' ? base64(hash) : null));
  return hashes.every((hash) => hash?.length === 32) ? hashes : null;
}

/** RFC 9162, section 2.1.4.2. */
function isConsistent(older, newer, proof) {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  if (older.size === 0) return proof.length === 0 && older.root.equals(sha256());
  let [at, last] = [BigInt(older.size) - 1n, BigInt(newer.size) - 1n];
  // A power of two has no bit in common with the number before it.
  const hashes = ((at + 1n) & at) === 0n ? [older.root, ...proof] : [...proof];
  while (at % 2n === 1n) [at, last] = [at / 2n, last / 2n];
  const first = hashes.shift();
  if (first === undefined) return false;
  let [oldRoot, newRoot] = [first, first];
  for (const hash of hashes) {
    if (last === 0n) return false;
    if (at % 2n === 1n || at === last) {
      [oldRoot, newRoot] = [nodeHash(hash, oldRoot), nodeHash(hash, newRoot)];
      while (at % 2n === 0n && at !== 0n) [at, last] = [at / 2n, last / 2n];
    } else newRoot = nodeHash(newRoot, hash);
    [at, last] = [at / 2n, last / 2n];
  }
  return last === 0n && oldRoot.equals(older.root) && newRoot.equals(newer.root);
}

/** RFC 9162, section 2.1.3.2. */
function rootByPath(index, size, leaf, path) {
  if (index >= size) return null;
  let [at, last, root] = [BigInt(index), BigInt(size - 1), leaf];
  for (const hash of path) {
    if (last === 0n) return null;
    if (at % 2n === 1n || at === last) {
      root = nodeHash(hash, root);
      while (at % 2n === 0n && at !== 0n) [at, last] = [at / 2n, last / 2n];
    } else root = nodeHash(root, hash);
    [at, last] = [at / 2n, last / 2n];
  }
  return last === 0n ? root : null;
}

const isUint64 = (text) => /^(0|[1-9][0-9]{0,19})$/.test(text ?? '') && BigInt(text) <= MAX_UINT64;
const isSafe = (text) => /^(0|[1-9][0-9]{0,15})$/.test(text ?? '') && Number.isSafeInteger(Number(text));
const isHex = (text, bytes) =>
  /^([0-9a-f]{2})*$/.test(text ?? '-') && (bytes === undefined || text.length === 2 * bytes);

/** The entry of a text in its only valid spelling. */
function readEntry(text) {
  const lines = text.split('\n');
  if (lines.pop() !== '') refuse('whole', 'the entry does not end with a newline');
  const kind = lines.shift();
  const next = (name) => {
    const found = lines.shift() ?? '';
    return found.startsWith(`${name} `) ? found.slice(name.length + 1) : undefined;
  };
  const require = (isRight) => isRight || refuse('whole', 'the entry is not written as it has to be');
  if (kind === 'correction') {
    const [clock, nextClock, by, at] = ['clock', 'next', 'by', 'at'].map(next);
    require([clock, nextClock, at, (by ?? '').replace(/^-(?=[1-9])/, '')].every(isSafe) && lines.length === 0);
    return { kind };
  }
  if (kind === 'registration') {
    const [device, at, way] = ['device', 'at', 'way'].map(next);
    require(isHex(device, 32) && isSafe(at) && WAYS.includes(way));
    const [by, received] = ['by', 'received'].map((name) => (lines[0]?.startsWith(`${name} `) ? next(name) : null));
    require(by !== '' && received !== '' && (by === null || way === 'adopted') && lines.length === 0);
    require(received !== null || way === 'adopted' || way === 'imported');
    return { kind, device };
  }
  require(kind === 'reading');
  const [device, seq, timestamp, received, clock, keyVersion] = [
    ...['device', 'seq', 'timestamp', 'received', 'clock', 'key-version'].map(next),
  ];
  require(isHex(device, 32) && isUint64(seq) && isUint64(timestamp) && [received, clock, keyVersion].every(isSafe));
  require(Number(keyVersion) < 2 ** 32);
  let signed = null;
  if (lines[0]?.startsWith('signature ')) {
    const [signature, raw] = [next('signature'), next('signed')];
    require(isHex(signature, 64) && isHex(raw) && raw.length <= 2 * MAX_RAW_BYTES);
    signed = { signature: Buffer.from(signature, 'hex'), raw: Buffer.from(raw, 'hex') };
  }
  const [values, sealed] = [new Map(), []];
  let place = -1;
  for (const [form, name, bytes, ...rest] of lines.map((line) => line.split(' '))) {
    require(FIELDS.indexOf(name) > place && rest.length === 0 && isHex(bytes, form === 'plain' ? 8 : undefined));
    place = FIELDS.indexOf(name);
    if (form === 'plain') values.set(name, Buffer.from(bytes, 'hex').readDoubleBE());
    else require(form === 'sealed' && bytes.length >= 2 * MIN_SEALED_BYTES && bytes.length <= 2 * MAX_SEALED_BYTES);
    if (form === 'sealed') sealed.push(name);
    else require(Number.isFinite(values.get(name)));
  }
  return { kind, device, seq, timestamp, keyVersion, signed, values, sealed };
}

const NUMBER = /^ *([+-]?(?:[0-9]+(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?) *$/;

/** The raw string as its parts; null: it has another form. */
function readRaw(raw) {
  const parts = raw.toString('latin1').split('|');
  const [device, ...numbers] = parts.splice(0, 4);
  if (!/^[0-9a-fA-F]{64}$/.test(device) || numbers.length < 3 || !numbers.every((text) => /^[0-9]+$/.test(text)))
    return null;
  const values = new Map();
  let hasTwice = false;
  for (const part of parts) {
    const equals = part.indexOf('=');
    const match = NUMBER.exec(part.slice(equals + 1));
    if (equals < 1 || match === null) return null;
    const decimals = (match[2] ?? match[3] ?? '').length;
    const name = part.slice(0, equals);
    hasTwice ||= values.has(name);
    values.set(name, {
      value: Number(match[1]),
      tolerance: Number(`5e${BigInt(match[4] ?? 0) - BigInt(decimals + 1)}`),
    });
  }
  return { device: device.toLowerCase(), numbers: numbers.map(BigInt), values, hasTwice };
}

/** Checks the signature of a reading. Returns whether all plain values were signed. */
function checkSigned({ device, seq, timestamp, keyVersion, signed, values }) {
  if (!isGood(signed.signature, signed.raw, Buffer.from(device, 'hex'))) {
    refuse('signed', 'the signature is not one of the key of the device');
  }
  const raw = readRaw(signed.raw);
  if (raw === null) return false;
  if (raw.device !== device || raw.numbers.join() !== [seq, timestamp, keyVersion].join()) {
    refuse('signed', 'the device signed this for another reading');
  }
  let isAll = !raw.hasTwice;
  for (const [name, value] of values) {
    const of = raw.values.get(name);
    if (of === undefined) isAll = false;
    else {
      // Two units in the last place of a double: an exact half must not fail by the noise of binary fractions.
      const slack = 2 * Number.EPSILON * Math.max(Math.abs(of.value), Math.abs(value));
      const isSame = Math.abs(of.value - value) <= of.tolerance + slack;
      if (![of.value, of.tolerance, value].every(Number.isFinite) || !isSame)
        refuse('signed', 'the device signed other values');
    }
  }
  return isAll;
}

/** Checks a line of opened values, which the owner signed for the reading of the line before. */
function readOpened(value) {
  const { opened, owner, signature } = requireMembers(value, ['opened string', 'owner string', 'signature string']);
  if (before === null) refuse('whole', 'opened values follow no reading');
  const [, leaf, values] =
    /^wellhouse-opened\/1\nleaf ([0-9a-f]{64})\n((?:value \w+ [0-9a-f]{8}\n)+)$/.exec(opened) ?? [];
  let place = -1;
  const isRight = (text) => {
    const [, name, hex] = text.split(' ');
    const isNext = FIELDS.indexOf(name) > place;
    place = FIELDS.indexOf(name);
    return isNext && before.sealed.includes(name) && Number.isFinite(Buffer.from(hex, 'hex').readFloatBE());
  };
  const isSigned =
    leaf === before.leaf.toString('hex') &&
    values.trimEnd().split('\n').every(isRight) &&
    (openedBy === null || openedBy === owner) &&
    isHex(owner, 32) &&
    isHex(signature, 64) &&
    isGood(Buffer.from(signature, 'hex'), Buffer.from(opened), Buffer.from(owner, 'hex'));
  if (!isSigned) refuse('opened', 'the owner did not sign these values for this reading');
  [before, openedBy] = [null, owner];
  counts.opened += 1;
}

/** Only a correction may stand before, or an entry of the same kind with a smaller index. */
function isAtItsPlace(kind, index) {
  if (latest !== null) return false;
  return entryBefore?.kind === kind ? index > entryBefore.index : entryBefore?.kind !== 'registration';
}

const counts = { readings: 0, corrections: 0, registrations: 0, signed: 0, all: 0, sealed: 0, opened: 0 };
let [head, latest, isOver, lineNumber] = [null, null, false, 0];
/** The leaf and the sealed fields of the reading of the line before; the key that signed opened values. */
let [before, openedBy] = [null, null];
/** The kind and index of the last entry. */
let entryBefore = null;

function take(line) {
  lineNumber += 1;
  const value = objectOf(line);
  if (isOver) refuse('whole', 'a line follows the last one');
  if (head === null) {
    head = readHead(value);
    return;
  }
  if ('end' in value) {
    const { end, ...said } = requireMembers(value, [
      ...['end boolean', 'readings number', 'corrections number', 'registrations number', 'opened number'],
    ]);
    isOver = end && Object.entries(said).every(([name, count]) => counts[name] === count);
    if (!isOver) refuse('whole', 'it has another number of entries than its last line says');
    return;
  }
  if ('opened' in value) {
    readOpened(value);
    return;
  }
  const { index, entry: text, path } = requireMembers(value, ['index number', 'entry string', 'path object']);
  if (!Number.isSafeInteger(index) || index < 0) refuse('whole', 'the index is not a whole number');
  const entry = readEntry(text);
  const place = entry.kind === 'reading' ? [BigInt(entry.timestamp), BigInt(entry.seq)] : null;
  if (entry.kind !== 'correction' && entry.device !== head.device) refuse('whole', 'the entry is of another device');
  if (place === null && !isAtItsPlace(entry.kind, index)) refuse('whole', `the ${entry.kind} is not at its place`);
  if (
    place !== null &&
    latest !== null &&
    (place[0] < latest[0] || (place[0] === latest[0] && place[1] <= latest[1]))
  ) {
    refuse('whole', 'the readings are not in the order of their timestamps');
  }
  const leaf = sha256(Buffer.of(0), text);
  const hashes = hashesOf(path);
  const root = hashes === null ? null : rootByPath(index, head.size, leaf, hashes);
  if (root?.equals(head.root) !== true) refuse('kept', 'the path does not lead from this entry to the root');
  entryBefore = { kind: entry.kind, index };
  if (place === null) {
    counts[`${entry.kind}s`] += 1;
    return;
  }
  latest = place;
  before = { leaf, sealed: entry.sealed };
  counts.readings += 1;
  for (const witness of head.witnesses) if (index < witness.size) witness.readings += 1;
  if (entry.sealed.length > 0) counts.sealed += 1;
  if (entry.signed === null) return;
  const isAll = checkSigned(entry);
  counts.signed += 1;
  if (isAll) counts.all += 1;
}

const [file, key] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node verify-proof.mjs FILE [KEY]\n');
  process.exit(2);
}
try {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      take(Buffer.concat([rest, chunk.subarray(from, end)]));
      [rest, from] = [Buffer.alloc(0), end + 1];
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > MAX_LINE_BYTES) take(rest);
  }
  if (rest.length > 0 || !isOver) refuse('whole', 'the file ends before its last line');
  if (key !== undefined && key !== head.log) refuse('checkpoint', `the log has the key ${head.log}`);
  const { readings, corrections, registrations, signed, all, sealed } = counts;
  process.stdout.write(
    `ok  whole: ${readings} readings of device ${head.device}\n` +
      `ok  signed by the device: ${signed} of ${readings} readings; in ${all} of them every plain value was signed\n` +
      `ok  kept unchanged by the node: ${readings} readings, ${sealed} of them with sealed values; ${corrections} corrections\n` +
      (openedBy === null
        ? ''
        : `ok  opened, said by the owner: sealed values of ${counts.opened} readings, signed by the key ${openedBy}; only the field key could show that they are these\n`) +
      `ok  registered: ${registrations} registrations of the device as the node received them\n` +
      `ok  checkpoint: a tree of ${head.size} entries, signed by ${head.log}\n` +
      head.witnesses
        .map(
          (each) =>
            `ok  witnessed: a tree of ${each.size} entries, with ${each.readings} of these readings, ` +
            `at ${new Date(each.at * 1000).toISOString()}, by ${each.key}\n`,
        )
        .join(''),
  );
} catch (error) {
  process.stdout.write(`REFUSED  ${error.claim ?? 'whole'}: line ${lineNumber}: ${error.message}\n`);
  process.exit(1);
}
