import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CROPS, type Crop, PRESET_SOURCES, PRESETS } from '../../../shared/alerts/presets.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { sideOf } from '../../../shared/alerts/shown-range.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useWriteRules } from '../../api/queries/alerts.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { FieldValue } from '../../components/values/field-value.tsx';
import { useScales } from '../../devices/use-scales.ts';
import { shownNumber } from '../../format/values.ts';
import { useDerivedBy } from '../../opening/derived.ts';
import { useNewest } from '../../opening/opened.ts';
import { CallFailed } from '../rules/dialog-parts.tsx';
import { useRuleWords } from '../rules/rule-words.ts';
import { type FittedRange, fitted, rulesOf } from './preset-ranges.ts';
import classes from './presets.module.css';

interface Props {
  readonly device: DeviceSummary;
  /** The rules that watch the device at present. */
  readonly rules: readonly RangeRule[];
  readonly onClose: () => void;
}

/**
 * A dialog that sets the ranges of a crop: the owner chooses a crop, compares its ranges with the current ones and
 * applies them.
 */
export default function PresetDialog({ device, rules, onClose }: Props) {
  const { t } = useTranslation(['alerting', 'app']);
  const write = useWriteRules();
  const by = useDerivedBy(device);
  const [crop, setCrop] = useState<Crop | null>(null);
  const ranges = crop === null ? [] : fitted(PRESETS[crop], device, rules, by);
  const made = crop === null ? [] : rulesOf(device.id, t(`crop.${crop}`), ranges);
  return (
    <Dialog size="lg" onClose={onClose} title={t('preset.title')}>
      <Text size="sm" c="dimmed">
        {t('preset.text')}
      </Text>
      <div className={classes.crops}>
        {CROPS.map((each) => (
          <Button
            key={each}
            variant={each === crop ? 'filled' : 'default'}
            aria-pressed={each === crop}
            onClick={() => setCrop(each)}
          >
            {t(`crop.${each}`)}
          </Button>
        ))}
      </div>
      {crop === null ? null : (
        <>
          <RangesTable device={device} ranges={ranges} />
          <Sources ranges={ranges} />
          <CallFailed error={write.error} />
        </>
      )}
      <DialogFooter onLeave={onClose}>
        <Button
          size="xs"
          disabled={made.length === 0}
          loading={write.isPending}
          onClick={() => write.mutate(made, { onSuccess: onClose })}
        >
          {t('preset.apply')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** The sources of the numbers. */
function Sources({ ranges }: { ranges: readonly FittedRange[] }) {
  const { t } = useTranslation('alerting');
  const sources = [...new Set(ranges.map(({ preset }) => preset.source))];
  return (
    <Text component="div" size="xs" c="dimmed">
      {t('preset.editable')} {t('preset.source')}
      <ul className={classes.sources}>
        {sources.map((source) => (
          <li key={source}>
            <a href={PRESET_SOURCES[source].url} target="_blank" rel="noreferrer noopener">
              {PRESET_SOURCES[source].title}
            </a>
          </li>
        ))}
      </ul>
    </Text>
  );
}

/** A table of the crop's fields: the right range, the current value, and how applying the preset changes the rules. */
function RangesTable({ device, ranges }: { device: DeviceSummary; ranges: readonly FittedRange[] }) {
  const { t } = useTranslation(['alerting', 'app']);
  const words = useRuleWords();
  const scales = useScales(device);
  const newest = useNewest(device);
  return (
    <table className={classes.ranges}>
      <thead>
        <tr>
          <th scope="col">{t('rule.field')}</th>
          <th scope="col">{t('preset.right')}</th>
          <th scope="col">{t('preset.now')}</th>
        </tr>
      </thead>
      <tbody>
        {ranges.map(({ preset: { field }, range, isSent, replaced }) => {
          const value = newest(field);
          const sent = shownNumber(value);
          const side = range === null || sent === null ? null : sideOf(range, sent);
          const why = !isSent ? 'notSent' : range === null ? 'noUnit' : replaced !== null ? 'replaces' : null;
          return (
            <tr key={field}>
              <th scope="row">{t(`app:field.${scales[field].label}`)}</th>
              <td>
                {range === null ? '–' : words.rangeText(scales[field], range)}
                {why === null ? null : <span className={classes.why}>{t(`preset.${why}`)}</span>}
              </td>
              <td>
                <FieldValue
                  value={value}
                  scale={scales[field]}
                  outside={side === null ? null : { side, severity: 'warning' }}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
