import type { DeviceSummary } from '../../../../shared/owner-api.ts';
import { useOverview } from '../../../api/queries.ts';
import type { FileProblem, KeysView } from '../session/types.ts';
import { FileProblemAlert } from './file-problem-alert.tsx';
import classes from './keys.module.css';
import { KeystoreSection } from './keystore-section.tsx';
import { SecretsSection } from './secrets-section.tsx';
import { UnmatchedSection } from './unmatched-section.tsx';

const NONE: readonly DeviceSummary[] = [];

/** What the keystore holds, and what can be done with it. */
export function UnlockedView({ view, problem }: { view: KeysView; problem: FileProblem | null }) {
  const { data } = useOverview();
  const devices = data?.devices ?? NONE;
  return (
    <>
      {problem === null ? null : <FileProblemAlert problem={problem} />}
      <div className={classes.unlocked}>
        <div className={classes.stack}>
          <SecretsSection view={view} devices={devices} />
          <UnmatchedSection view={view} devices={devices} />
        </div>
        <div className={classes.stack}>
          <KeystoreSection view={view} />
        </div>
      </div>
    </>
  );
}
