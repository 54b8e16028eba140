import { Text, Title } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { withUnit } from '../../../../shared/format/scaled.ts';
import type { Drift } from '../../../../shared/measures/drift.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { Icon } from '../../../components/icon.tsx';
import { deviceDrift } from '../../../devices/drift.ts';
import { useScales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { SHOWN_FIELDS } from '../../../format/values.ts';
import classes from './calibrations-section.module.css';

/** Shows the offset of each calibrated sensor at each calibration, and whether the sensor drifts. */
export const CalibrationsSection = memo(function CalibrationsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('journal');
  const scales = useScales(device);
  const drifts = SHOWN_FIELDS.flatMap((field) => deviceDrift(device, field) ?? []);
  if (drifts.length === 0) return null;
  return (
    <section aria-labelledby="calibrations-title" className={classes.section}>
      <Title order={2} size="h4" id="calibrations-title">
        {t('drift.title')}
      </Title>
      <ul className={classes.list}>
        {drifts.map((drift) => (
          <OfSensor key={drift.field} drift={drift} scale={scales[drift.field]} />
        ))}
      </ul>
    </section>
  );
});

/** The number of calibrations listed, the newest first. All are drawn in the chart. */
const LISTED = 4;

function OfSensor({ drift, scale }: { readonly drift: Drift; readonly scale: FieldScale }) {
  const { t } = useTranslation(['journal', 'app']);
  const format = useFormat();
  const { steps, verdict } = drift;
  const inShown = (off: number) => scale.toShown(off) - scale.toShown(0);
  const number = (off: number) =>
    withUnit(format.rounded(Math.abs(inShown(off)), Math.max(2, scale.decimals), 0), scale.symbol);
  const words = (off: number) =>
    Math.abs(inShown(off)) < 5e-4
      ? t('drift.exact')
      : t(inShown(off) > 0 ? 'drift.high' : 'drift.low', { value: number(off) });
  const [before, now] = [steps.at(-2), steps.at(-1)!];
  return (
    <li className={classes.sensor} data-verdict={verdict}>
      <p className={classes.verdict}>
        <Icon name={verdict === 'grows' ? 'alert' : verdict === 'once' ? 'info' : 'check'} size={16} />
        <span>
          <b>{t(`app:field.${scale.label}`)}:</b> {t(`drift.verdict.${verdict}`)}
          {before === undefined
            ? null
            : ` ${t('drift.change', { value: number(now.off - before.off), span: format.duration(now.at - before.at) })}`}
        </span>
      </p>
      {steps.length < 2 ? null : <OffChart steps={steps.map(({ at, off }) => ({ at, off: inShown(off) }))} />}
      <ul className={classes.steps}>
        {steps
          .slice(-LISTED)
          .toReversed()
          .map(({ at, off }) => (
            <li key={at}>
              <Text size="sm" component="span">
                {format.dateTime(at)}: {words(off)}
              </Text>
            </li>
          ))}
      </ul>
    </li>
  );
}

const WIDTH = 280;
const HEIGHT = 56;
const PAD = 6;

/** Draws the sensor's offset over time. The dashed line is zero. */
function OffChart({ steps }: { readonly steps: readonly { readonly at: number; readonly off: number }[] }) {
  const { t } = useTranslation('journal');
  const [first, last] = [steps[0]!.at, steps.at(-1)!.at];
  const all = [0, ...steps.map(({ off }) => off)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const x = (at: number) => PAD + ((at - first) / Math.max(1, last - first)) * (WIDTH - 2 * PAD);
  const y = (off: number) => HEIGHT - PAD - ((off - least) / Math.max(1e-9, most - least)) * (HEIGHT - 2 * PAD);
  return (
    <svg className={classes.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('drift.chart')}>
      <line x1={PAD} x2={WIDTH - PAD} y1={y(0)} y2={y(0)} className={classes.exact} />
      <polyline points={steps.map(({ at, off }) => `${x(at)},${y(off)}`).join(' ')} className={classes.line} />
      {steps.map(({ at, off }) => (
        <circle key={at} cx={x(at)} cy={y(off)} r={3} className={classes.point} />
      ))}
    </svg>
  );
}
