import { Icon } from '../../components/icon.tsx';
import classes from './device-table.module.css';
import { type ListPreferences, setPreferences, usePreferences } from './preferences.ts';

interface Props {
  readonly sort: ListPreferences['sort'];
  readonly label: string;
  /** The label in full, where it had to be short. */
  readonly title?: string;
}

/** The head of a column, which sorts by it; once more, the other way round. */
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
