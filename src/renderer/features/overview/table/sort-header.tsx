import { Icon } from '../../../components/icon.tsx';
import { type ListPreferences, setPreferences, usePreferences } from '../../../devices/selection/preferences.ts';
import classes from './device-table.module.css';

interface Props {
  readonly sort: ListPreferences['sort'];
  readonly label: string;
  /** The full label, if `label` is an abbreviation. */
  readonly title?: string;
}

/** A column header that sorts by its column; a second click reverses the order. */
export function SortHeader({ sort, label, title = label }: Props) {
  const preferences = usePreferences();
  const active = preferences.sort === sort;
  const { descending } = preferences;
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: part of a table of placed rows
    // biome-ignore-start lint/a11y/useFocusableInteractive: the button inside takes the focus
    <div role="columnheader" aria-sort={active ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={classes.sort}
        title={title}
        data-active={active || undefined}
        onClick={() => setPreferences({ sort, descending: active && !descending })}
      >
        <span className={classes.sortLabel}>{label}</span>
        {active ? <Icon name={descending ? 'arrow-down' : 'arrow-up'} size={13} /> : null}
      </button>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
}
