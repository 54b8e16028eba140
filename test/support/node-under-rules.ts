import { pino } from 'pino';
import type { KnownDevices } from '../../src/main/alerts/watch/known-devices.ts';
import { NodeConditions, type NodeConditionsDependencies } from '../../src/main/alerts/watch/node-conditions.ts';
import { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import type { BuiltInKind } from '../../src/shared/alerts/built-in.ts';
import type { DamagedFile } from '../../src/shared/owner-api/damaged-files.ts';
import { someAlert } from './alert-notices.ts';
import { knownDevice, RulesUnderTest } from './rules-under-test.ts';

/** A device that only the public store has and that is not the owner's. */
export const STRANGER = 'cd'.repeat(32);
/** A device that never registered. */
export const UNKNOWN = 'ef'.repeat(32);
const DEVICES = [knownDevice(), knownDevice({ mine: null }, { id: STRANGER, store: 'public' })];

/** The events of a node and the built-in rules about the node itself. */
export class NodeUnderRules extends RulesUnderTest {
  readonly events = new EventBus<NodeEventMap>(pino({ level: 'silent' }));
  /** Whether the latest events brought news; `story` resets it. */
  #isNews = false;
  backupMissingSince: number | null = null;
  logs: ReturnType<NodeConditionsDependencies['brokenLogs']> = [];
  notices: DamagedFile[] = [];
  readonly conditions: NodeConditions;

  constructor(folder = '/no such folder') {
    super();
    const { rules, firings, clock } = this;
    this.conditions = new NodeConditions({
      ...{ rules, firings, clock, folder },
      devices: { find: (id: string) => DEVICES.find((each) => each.id === id) ?? null } as KnownDevices,
      withoutBackupSince: () => this.backupMissingSince,
      brokenLogs: () => this.logs,
      missingStores: () => this.notices,
    });
    this.conditions.listen(this.events, () => {
      this.#isNews = true;
    });
  }

  /** Returns the alerts as "kind subject value", and whether an event brought news since the last call. */
  story(): [string[], boolean] {
    const kinds = this.live.map(({ kind, device, store, value }) =>
      [kind, device?.slice(0, 2), store, value].filter((each) => each !== null && each !== undefined).join(' '),
    );
    const isNews = this.#isNews;
    this.#isNews = false;
    return [kinds, isNews];
  }

  look(): Promise<boolean> {
    return this.conditions.look();
  }

  /** Returns the first live alert as it is if it began now. */
  alertOf(kind: BuiltInKind, change: Partial<Alert>): Alert {
    const none = { name: '', device: null, field: null, side: null, value: null, limit: null };
    const [now, { value = null }] = [this.clock.now(), change];
    const { id } = this.live[0]!;
    return { ...someAlert({ ...none, rule: kind, kind }), since: now, firedAt: now, ...change, id, extreme: value };
  }
}
