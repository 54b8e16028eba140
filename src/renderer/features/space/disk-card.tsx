import { useTranslation } from 'react-i18next';
import type { Room } from '../../../shared/owner-api/storage.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { Fact } from './fact.tsx';
import classes from './space.module.css';

const DAYS_PER_YEAR = 365.25;
const SAY_YEARS_FROM_DAYS = 2 * DAYS_PER_YEAR;
const MOST_YEARS = 100;

interface Props {
  readonly room: Room;
  /** The unused bytes of all stores. New readings use them first. */
  readonly unusedBytes: number;
  /** The growth of all stores, in bytes per day. */
  readonly growth: number;
}

/** Shows the disk with the data, and how long it will last at this rate. */
export function DiskCard({ room, unusedBytes, growth }: Props) {
  const { t } = useTranslation('space');
  const format = useFormat();
  return (
    <Card title={t('disk')}>
      <dl className={classes.facts}>
        <Fact name={t('free')}>
          {t('freeOf', { free: format.bytes(room.freeBytes), total: format.bytes(room.totalBytes) })}
        </Fact>
        <Fact name={t('lasts')}>
          <Lasts days={growth === 0 ? null : (room.freeBytes + unusedBytes) / growth} />
        </Fact>
      </dl>
    </Card>
  );
}

function Lasts({ days }: { days: number | null }) {
  const { t } = useTranslation('space');
  const format = useFormat();
  if (days === null) return t('lastsUnknown');
  if (days >= SAY_YEARS_FROM_DAYS) {
    return t('lastsYears', { years: format.integer(Math.min(MOST_YEARS, Math.floor(days / DAYS_PER_YEAR))) });
  }
  return t('lastsDays', { count: Math.floor(days), number: format.integer(Math.floor(days)) });
}
