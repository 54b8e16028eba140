import { ActionIcon, Button, Popover } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SharedLabel } from '../../../../shared/measures/field-scale.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { Icon } from '../../../components/icon.tsx';
import { setPreferences, usePreferences } from '../../../devices/selection/preferences.ts';
import classes from './columns-menu.module.css';

/** Orders the values. If there is not enough room, the last ones are left out first. */
export function ColumnsMenu({ labelOf }: { labelOf: (field: FieldName) => SharedLabel }) {
  const { t } = useTranslation('app');
  const { fields } = usePreferences();
  const move = (field: FieldName, by: -1 | 1): void => {
    const from = fields.indexOf(field);
    const others = fields.filter((each) => each !== field);
    setPreferences({ fields: others.toSpliced(from + by, 0, field) });
  };
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="columns" size={14} />}>
          {t('overview.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('overview.columns')}>
        <p className={classes.text}>{t('overview.columnsText')}</p>
        <ol className={classes.list}>
          {fields.map((field, index) => {
            const name = t(`field.${labelOf(field)}`);
            return (
              <li key={field}>
                <span>{name}</span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={index === 0}
                  aria-label={t('overview.moveUp', { name })}
                  onClick={() => move(field, -1)}
                >
                  <Icon name="arrow-up" size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={index === fields.length - 1}
                  aria-label={t('overview.moveDown', { name })}
                  onClick={() => move(field, 1)}
                >
                  <Icon name="arrow-down" size={14} />
                </ActionIcon>
              </li>
            );
          })}
        </ol>
      </Popover.Dropdown>
    </Popover>
  );
}
