import fc from 'fast-check';

// Ways to change what is well formed a little, so that a reader gets past its first check before it meets something odd.

/** Values that JSON can hold and that a program may not expect. */
const ODD = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -0,
    -1,
    0.1,
    1e308,
    5e-324,
    2 ** 53,
    [],
    {},
    [[]],
    '\u0000',
    '\u202e',
  ),
  fc.constantFrom('constructor', '__proto__', '18446744073709551616', '-1', '1e3', '٣', '0x10', 'NaN', '\ud800'),
  fc.string({ maxLength: 40 }),
  fc.stringMatching(/^[0-9a-fA-F]{0,130}$/),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

type JsonChange =
  | { readonly kind: 'replace' | 'add'; readonly pick: number; readonly value: unknown; readonly name: string }
  | { readonly kind: 'delete' | 'double'; readonly pick: number };

const jsonChange: fc.Arbitrary<JsonChange> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('replace' as const, 'add' as const),
    pick: fc.nat(),
    value: ODD,
    name: fc.oneof(
      fc.constantFrom('ph', 'plain', 'cipher', 'nonce', 'raw', '__proto__', 'default_disposition'),
      fc.string(),
    ),
  }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'double' as const), pick: fc.nat() }),
);

/** All places of a JSON document that hold something: the object or array, and the name or index in it. */
function placesOf(node: unknown): [Record<string, unknown> | unknown[], string | number][] {
  if (typeof node !== 'object' || node === null) return [];
  const names = Array.isArray(node) ? node.keys() : Object.keys(node);
  return [...names].flatMap((name) => {
    const place: [Record<string, unknown> | unknown[], string | number] = [node as Record<string, unknown>, name];
    return [place, ...placesOf((node as Record<string | number, unknown>)[name])];
  });
}

function changeJson(document: unknown, change: JsonChange): void {
  const places = placesOf(document);
  const place = places[change.pick % Math.max(1, places.length)];
  if (place === undefined) return;
  const [holder, name] = place as [Record<string | number, unknown>, string | number];
  if (change.kind === 'replace') holder[name] = change.value;
  else if (change.kind === 'delete') Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name];
  else if (change.kind === 'double' && Array.isArray(holder)) holder.push(structuredClone(holder[name as number]));
  else if (change.kind === 'add' && Array.isArray(holder)) holder.push(change.value);
  else if (change.kind === 'add')
    Object.defineProperty(holder, change.name, {
      value: change.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Changes of bytes: each at a place between 0 and 1 of the whole. */
const byteChange = fc.record({
  kind: fc.constantFrom('set' as const, 'insert' as const, 'cut' as const, 'repeat' as const, 'end' as const),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
});

function changeBytes(
  bytes: Uint8Array,
  { kind, at, bytes: given }: typeof byteChange extends fc.Arbitrary<infer T> ? T : never,
): Uint8Array {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (kind === 'end') return before;
  if (kind === 'insert') return Buffer.concat([before, given, after]);
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, 64), after]);
  if (kind === 'cut') return Buffer.concat([before, after.subarray(given.length)]);
  return Buffer.concat([before, given, after.subarray(given.length)]);
}

/** Texts of JSON: documents of the corpus with some members changed, and now and then with characters changed too. */
export function changedJson(corpus: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...corpus),
      fc.array(jsonChange, { maxLength: 4 }),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(byteChange, { minLength: 1, maxLength: 3 }) },
      ),
    )
    .map(([text, changes, edits]) => {
      const document: unknown = JSON.parse(text);
      // A copy, since later changes may reach into the value, and other cases have it too.
      for (const change of changes) changeJson(document, structuredClone(change));
      return edits.reduce((bytes: Uint8Array, edit) => changeBytes(bytes, edit), Buffer.from(JSON.stringify(document)));
    })
    .map((bytes) => new TextDecoder().decode(bytes));
}

/** Bytes of the corpus with some of them changed. */
export function changedBytes(corpus: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(byteChange, { maxLength: 4 }))
    .map(([bytes, edits]) => edits.reduce((changed, edit) => changeBytes(changed, edit), bytes));
}
