import { useSyncExternalStore } from 'react';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { KeptState } from '../../kept-state.ts';

export const STATUS_FILTERS = ['all', 'online', 'silent', 'off'] as const;
export const STORE_FILTERS = ['all', 'private', 'public', 'both'] as const;
export const VIEWS = ['auto', 'groups', 'cards', 'table'] as const;
export const SORTS = ['name', 'lastReading', 'status', 'added', ...FIELD_NAMES] as const;

export type Sort = (typeof SORTS)[number];

/** Returns whether a list is sorted by the newest value of a field. */
export function isFieldSort(sort: Sort): sort is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(sort);
}

/** Up to this number of devices, `auto` shows cards. For more it shows a table, with search and filters. */
export const FEW = 8;

/** The search, filters and order of the list of devices. Kept in this browser. */
export interface ListPreferences {
  /** `auto`: one card for each group if there are groups; other devices as cards if they are few. */
  readonly view: (typeof VIEWS)[number];
  readonly search: string;
  readonly sort: Sort;
  readonly descending: boolean;
  readonly status: (typeof STATUS_FILTERS)[number];
  readonly store: (typeof STORE_FILTERS)[number];
  /**
   * All fields, in the order of their columns. The first ones are large on cards; the last ones are hidden if there is
   * no room.
   */
  readonly fields: readonly FieldName[];
  /** Whether the section with other owners' devices is open. */
  readonly othersOpen: boolean;
}

export const DEFAULT_PREFERENCES: ListPreferences = {
  view: 'auto',
  search: '',
  sort: 'name',
  descending: false,
  status: 'all',
  store: 'all',
  fields: FIELD_NAMES,
  othersOpen: true,
};

function oneOf<T extends string>(allowed: readonly T[], value: unknown, otherwise: T): T {
  return allowed.find((each) => each === value) ?? otherwise;
}

/** Returns all fields: the kept ones in their order, then the others. */
function allFields(kept: unknown): readonly FieldName[] {
  if (!Array.isArray(kept)) return FIELD_NAMES;
  const known = [...new Set(kept)].filter((each): each is FieldName =>
    (FIELD_NAMES as readonly unknown[]).includes(each),
  );
  return [...known, ...FIELD_NAMES.filter((field) => !known.includes(field))];
}

/** Parses the stored text. Parts that this version does not understand get their defaults. */
export function parsePreferences(text: string | null): ListPreferences {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Not JSON, so the defaults are used.
  }
  return {
    view: oneOf(VIEWS, kept.view, 'auto'),
    search: typeof kept.search === 'string' ? kept.search.slice(0, 200) : '',
    sort: oneOf(SORTS, kept.sort, 'name'),
    descending: kept.descending === true,
    status: oneOf(STATUS_FILTERS, kept.status, 'all'),
    store: oneOf(STORE_FILTERS, kept.store, 'all'),
    fields: allFields(kept.fields),
    othersOpen: kept.othersOpen !== false,
  };
}

const preferences = new KeptState('wellhouse.list', parsePreferences);

/** Changes some of the preferences and stores them. */
export function setPreferences(change: Partial<ListPreferences>): void {
  preferences.set({ ...preferences.get(), ...change });
}

/** Returns the current preferences. */
export function usePreferences(): ListPreferences {
  return useSyncExternalStore(preferences.subscribe, preferences.get);
}
