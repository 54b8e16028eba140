import { readdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { SEVERITIES } from '../../../shared/alerts/rule.ts';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import type { ClockInfo } from '../../../shared/owner-api/node.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { VERSION } from '../../common/version.ts';
import type { Family } from './exposition.ts';
import { gauge } from './instruments.ts';

/** Facts about the node that are not counters. */
export interface NodeFacts {
  readonly node: string;
  readonly dataDir: string;
  readonly alerts: readonly Alert[];
  readonly storeBytes: ReadonlyMap<StoreName, number>;
  /** The time of the newest backup in Unix milliseconds; null if there is none. */
  readonly backupAt: number | null;
  readonly clock: ClockInfo['state'];
  /** null if the node has no owner; then there are no metrics of alerts and the broker. */
  readonly mqtt: Connections['mqtt'] | null;
}

/** Returns the metrics of the node and its process. Rejects with errors of the file system. */
export async function nodeFamilies(facts: NodeFacts): Promise<Family[]> {
  const { blocks, bavail, bsize } = await statfs(facts.dataDir);
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    {
      ...{ name: 'wellhouse_build_info', type: 'gauge', help: 'The version and the id of the node; always 1.' },
      samples: [{ labels: { version: VERSION, node: facts.node, runtime: process.versions.node }, value: 1 }],
    },
    {
      ...{ name: 'wellhouse_store_bytes', type: 'gauge', unit: 'bytes', help: 'Bytes that a store takes.' },
      samples: [...facts.storeBytes].map(([store, value]) => ({ labels: { store }, value })),
    },
    gauge('wellhouse_disk_free_bytes', 'Free bytes of the disk with the data.', bavail * bsize, 'bytes'),
    gauge('wellhouse_disk_size_bytes', 'Bytes of the disk with the data.', blocks * bsize, 'bytes'),
    ...(facts.backupAt === null
      ? []
      : [
          gauge(
            'wellhouse_backup_timestamp_seconds',
            'When the newest backup was made, in Unix time.',
            facts.backupAt / 1000,
            'seconds',
          ),
        ]),
    gauge('wellhouse_clock_known', 'Whether the time of the node counts as right.', isOne(facts.clock === 'known')),
    ...(facts.mqtt === null ? [] : ownerFamilies(facts.alerts, facts.mqtt)),
    {
      ...{ name: 'process_cpu_seconds', type: 'counter', unit: 'seconds', help: 'Processor time of the process.' },
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss, 'bytes'),
    gauge('process_heap_bytes', 'Heap of the process that is in use.', heapUsed, 'bytes'),
    ...openFiles(),
  ];
}

function ownerFamilies(alerts: readonly Alert[], mqtt: Connections['mqtt']): Family[] {
  const live = alerts.filter(({ state }) => state !== 'pending');
  return [
    {
      ...{
        name: 'wellhouse_alerts_firing',
        type: 'gauge',
        help: 'Alerts that fire, also those that were acknowledged.',
      },
      samples: SEVERITIES.map((severity) => ({
        labels: { severity },
        value: live.filter((alert) => alert.severity === severity).length,
      })),
    },
    gauge(
      'wellhouse_mqtt_connected',
      'Whether there is a connection to the MQTT broker.',
      isOne(mqtt.state === 'connected'),
    ),
    {
      ...{ name: 'wellhouse_mqtt_messages', type: 'counter', samples: [{ value: mqtt.messages }] },
      help: 'Messages that the MQTT broker confirmed.',
    },
  ];
}

function isOne(is: boolean): number {
  return is ? 1 : 0;
}

/** Only Linux provides the number. */
function openFiles(): Family[] {
  try {
    return [gauge('process_open_fds', 'Open files of the process.', readdirSync('/proc/self/fd').length)];
  } catch {
    return [];
  }
}
