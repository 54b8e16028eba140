// What Node 24 and current Chromium have and TypeScript's libraries do not describe yet
// (https://github.com/tc39/proposal-json-parse-with-source).

interface JSON {
  /** Makes a value that `JSON.stringify` writes as exactly this text (a primitive's JSON text). */
  rawJSON(text: string): { readonly rawJSON: string };
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}
