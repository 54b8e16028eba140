import { useTranslation } from 'react-i18next';
import type { Gate } from '../../../api/queries/gate.ts';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import classes from '../connect.module.css';

type System = NonNullable<Gate['firewall']>;
const SYSTEMS: readonly System[] = ['windows', 'macos', 'ufw', 'firewalld'];

function commandOf(system: System, port: number): string | null {
  if (system === 'ufw') return `sudo ufw allow ${port}/tcp`;
  if (system === 'firewalld')
    return `sudo firewall-cmd --permanent --add-port=${port}/tcp && sudo firewall-cmd --reload`;
  return null;
}

function Hint({ system, port }: { system: System; port: number }) {
  const { t } = useTranslation('app');
  const command = commandOf(system, port);
  if (command === null) return t(system === 'windows' ? 'gate.windows' : 'gate.macos');
  return <CodeLine text={command} label={t('connect.copyCommand')} />;
}

/** The command that opens the node's firewall for devices; nothing if the system is not known. */
export function FirewallHint({ system, port }: { system: Gate['firewall']; port: number }) {
  const { t } = useTranslation('join');
  if (system === null) return null;
  return (
    <div className={classes.note}>
      {t('firewall.title')} <Hint system={system} port={port} />
    </div>
  );
}

/** The commands for all systems. */
export function FirewallHints({ port }: { port: number }) {
  return (
    <ul>
      {SYSTEMS.map((system) => (
        <li key={system}>
          {system === 'ufw' || system === 'firewalld' ? `${system}: ` : ''}
          <Hint system={system} port={port} />
        </li>
      ))}
    </ul>
  );
}
