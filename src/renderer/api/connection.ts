import { useSyncExternalStore } from 'react';
import { nodeNow, setKnownUntil } from '../now.ts';

/** The live connection: not yet there, there, or lost (since, in ms of the node's clock). */
export type Connection =
  | { readonly state: 'connecting' | 'connected' }
  | { readonly state: 'lost'; readonly since: number };

let connection: Connection = { state: 'connecting' };
const listeners = new Set<() => void>();

/** Tells whether the stream of events is up; a loss keeps the time of its beginning. */
export function setConnected(connected: boolean): void {
  if (connected) connection = { state: 'connected' };
  else if (connection.state !== 'lost') connection = { state: 'lost', since: nodeNow() };
  // A device does not go silent because this page hears nothing of it.
  setKnownUntil(connection.state === 'lost' ? connection.since : null);
  for (const listener of listeners) listener();
}

/** The live connection as it is now. */
export const currentConnection = (): Connection => connection;

/** Tells, without a component, when the connection changes. Returns what ends it. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live connection, for a component. */
export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, currentConnection);
}
