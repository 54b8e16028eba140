import type { ChannelTarget } from '../../../shared/alerts/channel.ts';
import type { Channel, ChannelDependencies, ChannelKind } from './channel.ts';
import { desktop } from './desktop.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

type Kind = ChannelTarget['kind'];

const KINDS: { readonly [K in Kind]: ChannelKind<K> } = { ntfy, webhook, telegram, email, desktop };

/** The kind of a target; what is asked of it must be asked with that target. */
function kindOf<K extends Kind>(target: { readonly kind: K }): ChannelKind<K> {
  return KINDS[target.kind];
}

/** Opens the channel to a target. */
export function openChannel(dependencies: ChannelDependencies<Kind>): Channel {
  return kindOf(dependencies.target).open(dependencies as never);
}

/** The purpose of a target's secrets: see ChannelKind. */
export function secretsFor(target: ChannelTarget): string {
  return `${target.kind} ${kindOf(target).secretsFor(target as never)}`;
}

/** Whether messages to a target can be read beyond this network. */
export function isPlain(target: ChannelTarget): boolean {
  return kindOf(target).isPlainBeyondLan(target as never);
}
