import { useSyncExternalStore } from 'react';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { KeptState } from '../../kept-state.ts';

export const STATUS_FILTERS = ['all', 'online', 'silent', 'off'] as const;
export const STORE_FILTERS = ['all', 'private', 'public', 'both'] as const;
export const VIEWS = ['auto', 'cards', 'table'] as const;
export const SORTS = ['name', 'lastReading', 'status', 'added', ...FIELD_NAMES] as const;

export type Sort = (typeof SORTS)[number];

/** Whether a list is sorted by the newest value of a field. */
export function isFieldSort(sort: Sort): sort is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(sort);
}

/** So many devices are found at a glance; more are a table, with search and filters, unless the owner wants cards. */
export const FEW = 8;

/** How the list of devices is searched, filtered and sorted. Kept in this browser. */
export interface ListPreferences {
  /** `auto`: cards while devices are few. */
  readonly view: (typeof VIEWS)[number];
  readonly search: string;
  readonly sort: Sort;
  readonly descending: boolean;
  readonly status: (typeof STATUS_FILTERS)[number];
  readonly store: (typeof STORE_FILTERS)[number];
  /** All fields, in the order of their columns: the first are large on cards, the last give way where there is no room. */
  readonly fields: readonly FieldName[];
  /** Whether the devices of other owners are unfolded. */
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

/** The kept addresses first, then the new ones. */
function allFields(kept: unknown): readonly FieldName[] {
  if (!Array.isArray(kept)) return FIELD_NAMES;
  const known = [...new Set(kept)].filter((each): each is FieldName =>
    (FIELD_NAMES as readonly unknown[]).includes(each),
  );
  return [...known, ...FIELD_NAMES.filter((field) => !known.includes(field))];
}

/** Parses what was kept; what this version does not understand gets its default. */
export function parsePreferences(text: string | null): ListPreferences {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Not JSON: use the defaults.
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

/** Changes some of the preferences and keeps them. */
export function setPreferences(change: Partial<ListPreferences>): void {
  preferences.set({ ...preferences.get(), ...change });
}

/** The current preferences. */
export function usePreferences(): ListPreferences {
  return useSyncExternalStore(preferences.subscribe, preferences.get);
}
