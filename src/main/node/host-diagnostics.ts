import type { Answer, MethodName, Output } from '../../shared/owner-api/contract.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import type { OwnerHost } from '../owner/api/host.ts';

/** The program around the node, which can make owner calls. */
interface AskedHost extends OwnerHost {
  call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M>>;
}

/** Collects the diagnostics of a program and its node. `log` has the newest lines of its log. */
export async function hostDiagnostics(host: AskedHost, log: string): Promise<Output<'diagnostics'>> {
  // Loaded on demand: the node of a small machine runs for months without it.
  const { makeDiagnostics } = await import('../diagnostics/diagnostics.ts');
  const overview = await host.call('overview', { dayStart: SYSTEM_CLOCK.now() - 86_400_000 });
  const [rules, channels] = [await host.call('alertRules', {}), await host.call('alertChannels', {})];
  return makeDiagnostics({
    host,
    log,
    overview: overview.ok ? overview.value : null,
    rules: rules.ok ? rules.value.rules : null,
    // Only the kind of a channel is included: topics and addresses may be secrets.
    channels: channels.ok ? channels.value.channels.map(({ channel }) => channel.target.kind) : [],
  });
}
