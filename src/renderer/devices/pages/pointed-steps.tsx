import { useTranslation } from 'react-i18next';
import { useGate } from '../../api/queries/gate.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './pages.module.css';

/** Waits for a device that was told where the gate is. */
export function PointedSteps({ id, isTold }: { id: string; isTold: boolean }) {
  const { t } = useTranslation('join');
  const device = useOverview().data?.devices.find(
    (each) => each.id === id && each.stores.some(({ store }) => store === 'private'),
  );
  const { gate, pending = [] } = useGate().data ?? {};
  const isRegistered = device !== undefined || pending.some((each) => each.id === id);
  const steps = [
    { text: t('point.told'), isDone: isTold || isRegistered },
    { text: t('point.registered'), isDone: isRegistered },
    { text: t('point.reading'), isDone: device !== undefined && device.lastReceivedAt !== null },
  ];
  return (
    <div className={classes.pointed} role="status">
      <ol>
        {steps.map(({ text, isDone }) => (
          <li key={text} data-done={isDone || undefined}>
            <Icon name={isDone ? 'check' : 'clock'} size={14} /> {text}
            {isDone ? <span className="visually-hidden"> ({t('step.done')})</span> : null}
          </li>
        ))}
      </ol>
      {isTold ? null : <p>{t('point.unconfirmed')}</p>}
      {steps.every(({ isDone }) => isDone) || gate === undefined || gate.state === 'off' ? null : (
        <p className={classes.note}>{t('point.check', { port: gate.port })}</p>
      )}
    </div>
  );
}
