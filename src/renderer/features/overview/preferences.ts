import { useSyncExternalStore } from 'react';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';

export const STATUS_FILTERS = ['all', 'online', 'silent', 'off'] as const;
export const STORE_FILTERS = ['all', 'private', 'public', 'both'] as const;
export const SORTS = ['name', 'lastReading', 'status', 'added', ...FIELD_NAMES] as const;

/** How the owner likes the list of devices; it outlives the page. */
export interface ListPreferences {
  readonly search: string;
  readonly sort: 'name' | 'lastReading' | 'status' | 'added' | FieldName;
  readonly descending: boolean;
  readonly status: (typeof STATUS_FILTERS)[number];
  readonly store: (typeof STORE_FILTERS)[number];
  /** Whether the devices of other owners are unfolded. */
  readonly othersOpen: boolean;
}

export const DEFAULT_PREFERENCES: ListPreferences = {
  search: '',
  sort: 'name',
  descending: false,
  status: 'all',
  store: 'all',
  othersOpen: true,
};

const STORAGE_KEY = 'wellhouse.list';

function oneOf<T extends string>(allowed: readonly T[], value: unknown, otherwise: T): T {
  return allowed.find((each) => each === value) ?? otherwise;
}

/** What was kept, as far as this version understands it. */
export function parsePreferences(text: string | null): ListPreferences {
  let kept: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed as Record<string, unknown>;
  } catch {
    // Not ours any more: the defaults do.
  }
  return {
    search: typeof kept.search === 'string' ? kept.search.slice(0, 200) : '',
    sort: oneOf(SORTS, kept.sort, 'name'),
    descending: kept.descending === true,
    status: oneOf(STATUS_FILTERS, kept.status, 'all'),
    store: oneOf(STORE_FILTERS, kept.store, 'all'),
    othersOpen: kept.othersOpen !== false,
  };
}

let preferences: ListPreferences | undefined;
const listeners = new Set<() => void>();

function read(): ListPreferences {
  preferences ??= parsePreferences(localStorage.getItem(STORAGE_KEY));
  return preferences;
}

/** Changes some of the preferences and keeps them. */
export function setPreferences(change: Partial<ListPreferences>): void {
  preferences = { ...read(), ...change };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The preferences, for a component. */
export function usePreferences(): ListPreferences {
  return useSyncExternalStore(subscribe, read);
}
