import type { FastifyRequest } from 'fastify';
import { REFUSAL_CAUSES } from '../../shared/owner-api/security.ts';
import type { NodeEvents, TurnedAway } from '../common/node-events.ts';

/** Returns a function that emits `turnedAway` for each refusal of a listener. */
export function refusalsOf(events: NodeEvents, listener: TurnedAway['listener']) {
  return (error: string, { ip: address }: FastifyRequest): void => {
    const cause = REFUSAL_CAUSES.find((each) => each === error);
    if (cause !== undefined) events.emit('turnedAway', () => ({ listener, cause, address }));
  };
}

/** Returns a function that emits `answered` for each answer of a listener. */
export function answersOf(events: NodeEvents, listener: TurnedAway['listener']) {
  return (status: number, ms: number): void => events.emit('answered', () => ({ listener, status, ms }));
}
