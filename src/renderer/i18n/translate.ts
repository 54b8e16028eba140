/** The texts of a namespace in one language: objects within objects, strings at their ends. */
export interface Catalogue {
  readonly [name: string]: string | Catalogue;
}

/** What a text names in double braces, by name. */
export interface Values {
  readonly [name: string]: string | number | null | undefined;
  /** A number chooses the plural too: `key_one`, `key_many`, `key_other` and what else the language has. */
  readonly count?: string | number;
  /** Stands for a text that there is none of. */
  readonly defaultValue?: string;
}

/** The text of a key: names with dots between them, after `namespace:` where it is of another namespace. */
export type Translate = (key: string, values?: Values) => string;

function find(catalogue: Catalogue | undefined, path: string): string | undefined {
  let found: string | Catalogue | undefined = catalogue;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return typeof found === 'string' ? found : undefined;
}

/**
 * A function that gives texts of a namespace in a language. A key without a text is shown as such. Values are put in as
 * they are: React escapes.
 */
export function translator(
  language: string,
  namespace: string,
  catalogueOf: (namespace: string) => Catalogue | undefined,
): Translate {
  const plurals = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const colon = key.indexOf(':');
    const path = key.slice(colon + 1);
    const catalogue = catalogueOf(colon === -1 ? namespace : key.slice(0, colon));
    const { count } = values;
    const plural = typeof count === 'number' ? find(catalogue, `${path}_${plurals.select(count)}`) : undefined;
    const text = plural ?? find(catalogue, path) ?? values.defaultValue ?? path;
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
}
