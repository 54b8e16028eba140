// Functions of Node 24 and current Chromium that TypeScript's libraries do not describe yet
// (https://github.com/tc39/proposal-json-parse-with-source).

interface JSON {
  /** Returns a value that `JSON.stringify` writes as exactly this text (the JSON text of a primitive). */
  rawJSON(text: string): { readonly rawJSON: string };
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}
