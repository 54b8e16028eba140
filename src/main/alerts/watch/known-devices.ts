import type { RuleScope } from '../../../shared/alerts/rule.ts';
import { deviceName, namesakes } from '../../../shared/display-text.ts';
import { CHOICES } from '../../../shared/owner-data/choices.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { isMine } from '../../store/whose.ts';

/** The devices with their owner and groups, as read from the stores. */
export class KnownDevices {
  readonly #devices = new Map<string, KnownDevice>();
  /** The devices that the latest `reload` found gone. Messages about their ended alerts have their names. */
  readonly #gone = new Map<string, KnownDevice>();
  #groups: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  /** The devices that rules may be for: the owner's, and others that a rule or a group names. */
  get all(): readonly KnownDevice[] {
    return [...this.#devices.values()];
  }

  find(id: string): KnownDevice | null {
    return this.#devices.get(id) ?? null;
  }

  /** Returns the last known data of a device, also if it was just forgotten or hidden. */
  lastKnown(id: string): KnownDevice | null {
    return this.find(id) ?? this.#gone.get(id) ?? null;
  }

  /** Returns the name of a device, distinct from others of the same name. */
  nameOf({ id, entries, notes }: KnownDevice): string {
    const named = (device: KnownDevice) => ({ ...device, name: device.entries[0]!.device.name });
    const hasNamesake = namesakes(this.all.map(named)).has(id);
    return deviceName({ id, notes, name: entries[0]!.device.name, hasNamesake });
  }

  /** Reads all groups and devices. `names` are the ids that rules name. */
  async load(stores: StoresView, names: ReadonlySet<string>): Promise<void> {
    await this.loadGroups(stores);
    this.#devices.clear();
    for (const device of await stores.devices()) this.#keep(device, names);
  }

  /** Reads some devices again. */
  async reload(stores: StoresView, ids: Iterable<string>, names: ReadonlySet<string>): Promise<void> {
    this.#gone.clear();
    for (const id of ids) {
      const device = await stores.device(id);
      const before = this.find(id);
      this.#devices.delete(id);
      if (device !== null) this.#keep(device, names);
      if (before !== null && this.find(id) === null) this.#gone.set(id, device ?? before);
    }
  }

  async loadGroups(stores: StoresView): Promise<void> {
    const groups = CHOICES.groups.safeParse((await stores.choices()).get('groups')).data ?? [];
    this.#groups = new Map(groups.map(({ id, devices }) => [id, new Set(devices)]));
  }

  /** Returns the devices at the place of a crop cycle. */
  at(place: Cycle['place']): readonly string[] {
    return place.kind === 'device' ? [place.device] : [...(this.#groups.get(place.group) ?? [])];
  }

  /**
   * Returns whether a rule of that scope is for a device. A device that a rule or a group names need not be the
   * owner's.
   */
  isIn(scope: RuleScope, device: KnownDevice): boolean {
    if (scope.kind === 'device') return scope.device === device.id;
    if (scope.kind === 'group') return this.#groups.get(scope.group)?.has(device.id) ?? false;
    return isMine(device);
  }

  /**
   * Adds a device if it is the owner's, or a rule or a group names it. Strangers can register any number of devices at
   * the public endpoint, so others are not kept in memory. Devices that the owner hid are not kept either, since no
   * alert is about them.
   */
  #keep(device: KnownDevice, names: ReadonlySet<string>): void {
    if (device.notes.isHidden) return;
    const isNamed = names.has(device.id) || [...this.#groups.values()].some((devices) => devices.has(device.id));
    if (isNamed || isMine(device)) this.#devices.set(device.id, device);
  }
}
