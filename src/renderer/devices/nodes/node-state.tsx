import { useTranslation } from 'react-i18next';
import type { NodeStanding } from '../../../shared/owner-api/nodes.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './nodes.module.css';

/** How it is with the way to another node, in a few words. */
export function useStandingText(): (standing: NodeStanding) => string {
  const { t } = useTranslation('app');
  const format = useFormat();
  return (standing) => {
    if (standing.state === 'connecting' || standing.state === 'connected') return t(`nodes.state.${standing.state}`);
    const text = standing.state === 'away' ? 'away' : standing.reason;
    return standing.since === null
      ? t(`nodes.never.${text}`)
      : t(`nodes.since.${text}`, { time: format.shortDateTime(standing.since) });
  };
}

/** The same with a sign. */
export function NodeState({ standing }: { standing: NodeStanding }) {
  const text = useStandingText()(standing);
  const icon = standing.state === 'refused' ? 'alert' : standing.state === 'away' ? 'unlink' : 'check';
  return (
    <span className={classes.state} data-state={standing.state}>
      <Icon name={standing.state === 'connecting' ? 'refresh' : icon} size={14} />
      <span>{text}</span>
    </span>
  );
}
