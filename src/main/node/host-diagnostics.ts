import type { Answer, MethodName, Output } from '../../shared/owner-api/contract.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import type { OwnerHost } from '../owner/api/host.ts';

/** The program around the node, which also answers the owner's calls. */
interface AskedHost extends OwnerHost {
  call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M>>;
}

/** Gathers what the diagnostics say of a program and its node; `log` has its newest lines. */
export async function hostDiagnostics(host: AskedHost, log: string): Promise<Output<'diagnostics'>> {
  // Loaded when it is asked for: the node of a small machine runs for months without.
  const { makeDiagnostics } = await import('../diagnostics/diagnostics.ts');
  const overview = await host.call('overview', { dayStart: SYSTEM_CLOCK.now() - 86_400_000 });
  const [rules, channels] = [await host.call('alertRules', {}), await host.call('alertChannels', {})];
  return makeDiagnostics({
    host,
    log,
    overview: overview.ok ? overview.value : null,
    rules: rules.ok ? rules.value.rules : null,
    // Of a channel nothing but its kind: topics and addresses are as good as secrets.
    channels: channels.ok ? channels.value.channels.map(({ channel }) => channel.target.kind) : [],
  });
}
