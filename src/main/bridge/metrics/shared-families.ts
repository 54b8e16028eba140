import type { Family } from './exposition.ts';
import { gauge } from './instruments.ts';

/** The facts about a shared store, from the view of this node. */
export interface SharedFacts {
  readonly waitingBlocks: number;
  readonly connections: { readonly open: number; readonly idle: number; readonly waiting: number };
  /** null if the database does not answer. */
  readonly database: {
    readonly bytes: number;
    readonly devices: number;
    readonly readings: number;
    readonly connections: number;
    readonly waitingEntries: number;
    readonly maxConnections: number;
    readonly standbys: number;
    readonly standbyLagSeconds: number | null;
    readonly oldestTransactionSeconds: number;
    readonly nodes: number;
  } | null;
}

/** Returns the metrics of a shared store. */
export function sharedFamilies({ waitingBlocks, connections, database }: SharedFacts): Family[] {
  const families: Family[] = [
    gauge('wellhouse_waiting_blocks', 'Blocks that wait for a thread or the database.', waitingBlocks),
    {
      ...{
        name: 'wellhouse_database_pool',
        type: 'gauge',
        help: 'Connections of this node, and statements that wait.',
      },
      samples: Object.entries(connections).map(([state, value]) => ({ labels: { state }, value })),
    },
    gauge('wellhouse_database_up', 'Whether the database of the public store answers.', database === null ? 0 : 1),
  ];
  if (database === null) return families;
  return [
    ...families,
    gauge('wellhouse_database_bytes', 'Bytes of the store, indexes included.', database.bytes, 'bytes'),
    gauge('wellhouse_database_devices', 'Devices in the store.', database.devices),
    gauge('wellhouse_database_readings', 'Readings in the store, as the database estimates.', database.readings),
    gauge('wellhouse_database_connections', 'Connections to the server, of all clients.', database.connections),
    gauge('wellhouse_database_max_connections', 'Connections that the server takes.', database.maxConnections),
    gauge('wellhouse_database_log_waiting', 'Entries that are not in the log yet.', database.waitingEntries),
    gauge('wellhouse_database_standbys', 'Standbys that follow the server.', database.standbys),
    ...(database.standbyLagSeconds === null
      ? []
      : [
          gauge(
            'wellhouse_database_standby_lag_seconds',
            'How far the slowest standby is behind.',
            database.standbyLagSeconds,
            'seconds',
          ),
        ]),
    gauge(
      'wellhouse_database_oldest_transaction_seconds',
      'How long the oldest transaction is open.',
      database.oldestTransactionSeconds,
      'seconds',
    ),
    gauge('wellhouse_nodes_alive', 'Nodes that use the store.', database.nodes),
  ];
}
