import { useTranslation } from 'react-i18next';
import type { NodeStanding, OtherNode } from '../../../shared/owner-api/nodes.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './nodes.module.css';

/** Returns a function that describes the connection to another node in a few words. */
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

/** The state of the connection with an icon, and whether the node's answers are understood. */
export function NodeState({ node: { standing, isMisfit } }: { node: Pick<OtherNode, 'standing' | 'isMisfit'> }) {
  const { t } = useTranslation('app');
  const standingText = useStandingText()(standing);
  const isPartly = standing.state === 'connected' && isMisfit;
  const text = isPartly ? t('nodes.state.misfit') : standingText;
  const icon = standing.state === 'refused' || isPartly ? 'alert' : standing.state === 'away' ? 'unlink' : 'check';
  return (
    <span className={classes.state} data-state={isPartly ? 'misfit' : standing.state}>
      <Icon name={standing.state === 'connecting' ? 'refresh' : icon} size={14} />
      <span>{text}</span>
    </span>
  );
}
