import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { meanText, openedText } from '../../../shared/format/scaled.ts';
import { wholeMinutes } from '../../../shared/format/spans.ts';
import { timeInRange } from '../../../shared/measures/time-in-range.ts';
import { useAlertWords } from '../../alerts/list/use-alert-words.ts';
import { summarise } from '../../charts/series/chart-data.ts';
import type { View } from '../../charts/view.ts';
import type { CourseLine } from '../../crops/course/courses.tsx';
import { useShareText } from '../../crops/course/tables.tsx';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import { useShownText } from '../../format/shown-text.ts';
import type { Mark } from '../../journal/marks.ts';
import { useEntryWords } from '../../journal/use-act-words.ts';
import classes from './report.module.css';

interface ValuesProps {
  readonly lines: readonly CourseLine[];
  readonly view: View;
}

/** Shows minimum, mean and maximum of each value, and the share of time in range. */
export function ValuesTable({ lines, view }: ValuesProps) {
  const { t } = useTranslation(['crops', 'app']);
  const shownText = useShownText();
  const shareText = useShareText();
  const isOne = new Set(lines.map(({ device }) => device.id)).size === 1;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('report.value')}</th>
          <th scope="col">{t('report.least')}</th>
          <th scope="col">{t('report.mean')}</th>
          <th scope="col">{t('report.greatest')}</th>
          <th scope="col">{t('report.inRange')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ device, field, scale, data, allowed }) => {
          const found = summarise(data, view);
          const share = allowed.bands.length === 0 ? null : timeInRange(data, allowed.bands, view);
          const name = t(`app:field.${scale.label}`);
          return (
            <tr key={`${device.id} ${field}`}>
              <th scope="row">{isOne ? name : `${nameOf(device)}: ${name}`}</th>
              <td>{found === null ? '–' : shownText(openedText, scale, found.min)}</td>
              <td>{found === null ? '–' : shownText(meanText, scale, found.mean)}</td>
              <td>{found === null ? '–' : shownText(openedText, scale, found.max)}</td>
              <td>{shareText(share ?? undefined)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Lists the alerts, each with its time, its duration and the value furthest out of range. */
export function AlertsTable({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { t } = useTranslation('crops');
  const format = useFormat();
  const words = useAlertWords();
  if (alerts.length === 0) return <p>{t('report.noAlerts')}</p>;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('report.alert')}</th>
          <th scope="col">{t('report.since')}</th>
          <th scope="col">{t('report.lasted')}</th>
          <th scope="col">{t('report.furthest')}</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <tr key={alert.id}>
            <th scope="row">{words.title(alert)}</th>
            <td>{format.shortDateTime(alert.since)}</td>
            <td>
              {alert.endedAt === null ? t('report.lasts') : format.duration(wholeMinutes(alert.endedAt - alert.since))}
            </td>
            <td>{alert.kind === 'range' && alert.extreme !== null ? words.value(alert, alert.extreme) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface EntriesProps {
  readonly marks: readonly Mark[];
  /** Returns the name of an entry's place; null if there is only one place. */
  readonly placeOf: ((device: string | null) => string) | null;
}

/** Lists the journal entries with the numbers used in the charts. */
export function EntriesTable({ marks, placeOf }: EntriesProps) {
  const { t } = useTranslation('crops');
  const format = useFormat();
  const words = useEntryWords();
  if (marks.length === 0) return <p>{t('report.noEntries')}</p>;
  return (
    <table className={classes.log}>
      <tbody>
        {marks.map(({ number, entry }) => (
          <tr key={entry.id}>
            <th scope="row">{number}</th>
            <td>{format.shortDateTime(entry.at)}</td>
            {placeOf === null ? null : <td>{placeOf(entry.device)}</td>}
            <td>
              {words(entry)}
              {entry.by === undefined ? null : ` (${entry.by})`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
