import type { ChannelTarget } from '../../../shared/alerts/channel.ts';
import type { Channel, ChannelDependencies, ChannelKind } from './channel.ts';
import { desktop } from './desktop.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

type Kind = ChannelTarget['kind'];

const KINDS: { readonly [K in Kind]: ChannelKind<K> } = { ntfy, webhook, telegram, email, desktop };

/** Returns the kind of a target. Its functions must be called with that target. */
function kindOf<K extends Kind>(target: { readonly kind: K }): ChannelKind<K> {
  return KINDS[target.kind];
}

export function openChannel(dependencies: ChannelDependencies<Kind>): Channel {
  return kindOf(dependencies.target).open(dependencies as never);
}

/** Returns the purpose of a target's secrets; see ChannelKind. */
export function secretsFor(target: ChannelTarget): string {
  return `${target.kind} ${kindOf(target).secretsFor(target as never)}`;
}

/** Returns whether messages to a target can be read outside of this network. */
export function isPlain(target: ChannelTarget): boolean {
  return kindOf(target).isPlainBeyondLan(target as never);
}
