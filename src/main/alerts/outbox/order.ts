import type { Delivery } from './delivery.ts';

/** Returns whether two messages go to the same channel about the same alert. */
function isOfSame(a: Delivery, b: Delivery): boolean {
  const id = a.facts.alert?.id;
  return id !== undefined && a.channel === b.channel && id === b.facts.alert?.id;
}

/** Returns whether no earlier message about the same alert waits: its end is never reported before its beginning. */
export function isFirstOfAlert(deliveries: readonly Delivery[], one: Delivery): boolean {
  return deliveries.find((each) => each === one || isOfSame(each, one)) === one;
}

/**
 * Adds a message to the waiting ones. If an alert ends while quiet hours hold back its beginning, neither is reported.
 * A repeated message is not added while another one about the alert waits.
 */
export function addDelivery(deliveries: readonly Delivery[], next: Delivery): readonly Delivery[] {
  const { kind, id } = next.facts;
  if (deliveries.some((each) => each.facts.id === id && each.channel === next.channel)) return deliveries;
  const isEarlier = (each: Delivery) => isOfSame(each, next) && each.tries === 0;
  if (kind === 'repeated' && deliveries.some((each) => isOfSame(each, next))) return deliveries;
  if (kind !== 'ended') return [...deliveries, next];
  const others = deliveries.filter((each) => !(isEarlier(each) && each.facts.kind === 'repeated'));
  const untold = others.find((each) => isEarlier(each) && each.isQuiet && each.facts.kind === 'fired');
  return untold === undefined ? [...others, next] : others.filter((each) => each !== untold);
}

/** Removes the messages about an alert that were never tried, except the one about its end. */
export function withoutUntold(deliveries: readonly Delivery[], alert: string): readonly Delivery[] {
  return deliveries.filter(({ facts, tries }) => facts.alert?.id !== alert || tries > 0 || facts.kind === 'ended');
}
