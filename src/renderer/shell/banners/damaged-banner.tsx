import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DamagedFile } from '../../../shared/owner-api/damaged-files.ts';
import { useDismissDamagedFile } from '../../api/queries/damaged-files.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './sleep-banner.module.css';

/** The parts of files that have their own text. */
const PARTS = [
  ...(['rules', 'live', 'channels', 'options', 'devices', 'outbox', 'lines', 'pairings', 'keys', 'nodes'] as const),
  ...(['settings', 'quietHours'] as const),
];
/** If there are more names than this, only their number is shown. */
const MAX_NAMES = 5;

/**
 * A banner about one damaged file: its name, what was lost, and where the damaged file is. It stays until the owner
 * dismisses it.
 */
export default function DamagedBanner({ file: { id, file, at, copy, whole, lost, restored } }: { file: DamagedFile }) {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const dismiss = useDismissDamagedFile();
  return (
    <div role="status" className={classes.banner}>
      <Icon name="alert" />
      <div>
        <p>
          <strong>{t('damaged.title', { file, time: format.shortDateTime(at) })}</strong>{' '}
          {whole === null || whole === 'missing'
            ? t(lost.length > 0 ? 'damaged.lost' : 'damaged.restored')
            : t(`damaged.whole.${whole}`)}
        </p>
        {listOf(lost)}
        {lost.length > 0 && restored.length > 0 ? <p>{t('damaged.restored')}</p> : null}
        {listOf(restored)}
        {whole === 'absent' ? null : (
          <p className={classes.advice}>{copy === null ? t('damaged.noCopy') : t('damaged.copy', { path: copy })}</p>
        )}
      </div>
      <CloseButton
        size="sm"
        aria-label={t('damaged.dismiss', { file })}
        disabled={dismiss.isPending}
        onClick={() => dismiss.mutate(id)}
      />
    </div>
  );

  function listOf(entries: DamagedFile['lost']) {
    if (entries.length === 0) return null;
    const parts = Map.groupBy(entries, ({ part }) =>
      part === 'options.quietHours' ? 'quietHours' : (part.split('.')[0] ?? part),
    );
    return (
      <ul>
        {[...parts].map(([part, each]) => (
          <li key={part}>
            {nameOf(part)}
            {namesOf(each)}
          </li>
        ))}
      </ul>
    );
  }

  function nameOf(part: string): string {
    const known = PARTS.find((each) => each === part);
    return known === undefined ? t('damaged.part.other', { part }) : t(`damaged.part.${known}`);
  }

  function namesOf(entries: DamagedFile['lost']): string {
    const names = entries.flatMap(
      ({ part, entry }) => entry ?? (part === 'options.quietHours' ? [] : part.split('.').slice(1)),
    );
    if (names.length === 0) return '';
    const shown = names.slice(0, MAX_NAMES).join(', ');
    const more = names.length - MAX_NAMES;
    return `: ${more > 0 ? t('damaged.more', { names: shown, count: more }) : shown}`;
  }
}
