import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Quantity, type UnitId, unitsOf } from '../../../shared/measures/units.ts';
import { useOwnerChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';
import { CallFailure } from '../../components/failure.tsx';
import { unitName } from '../../devices/unit-name.ts';
import { Row, Section } from './section.tsx';

/** The quantities whose unit can be chosen. */
const CHOSEN = ['temperature', 'conductivity', 'distance'] as const satisfies readonly Quantity[];

/**
 * Chooses the units in which values are shown for devices without their own units. The choices are stored at the node.
 */
export function UnitsSection() {
  const { t } = useTranslation(['settings', 'app']);
  const { t: tApp } = useTranslation('app');
  const { units } = useOwnerChoices();
  const save = useSetOwnerChoices();
  return (
    <Section title={t('section.units')}>
      {CHOSEN.map((quantity) => {
        const [reference, ...others] = unitsOf(quantity) as [UnitId, ...UnitId[]];
        return (
          <Row key={quantity} name={t(`units.${quantity}`)} text={t(`units.${quantity}Text`)}>
            <NativeSelect
              size="sm"
              aria-label={t(`units.${quantity}`)}
              value={units[quantity] ?? reference}
              data={[reference, ...others].map((unit) => ({ value: unit, label: unitName(tApp, unit) }))}
              onChange={(event) =>
                save.mutate({ units: { ...units, [quantity]: event.currentTarget.value as UnitId } })
              }
            />
          </Row>
        );
      })}
      <CallFailure error={save.error} lead={t('units.failed')} />
    </Section>
  );
}
