import type { RuleScope } from '../../../shared/alerts/rule.ts';
import { deviceName, namesakes } from '../../../shared/display-text.ts';
import { CHOICES } from '../../../shared/owner-data/choices.ts';
import type { KnownDevice, StoresView } from '../../store/port.ts';
import { isMine } from '../../store/whose.ts';

/** Which devices there are, whose they are, and which groups they are in: as the stores say. */
export class KnownDevices {
  readonly #devices = new Map<string, KnownDevice>();
  /** The devices that were gone when devices were last read: messages about their ended alerts name them. */
  readonly #gone = new Map<string, KnownDevice>();
  #groups: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  /** The devices that rules may be for: the owner's, and others that a rule or a group names. */
  get all(): readonly KnownDevice[] {
    return [...this.#devices.values()];
  }

  find(id: string): KnownDevice | null {
    return this.#devices.get(id) ?? null;
  }

  /** As it was known last, also where it was just forgotten or hidden. */
  lastKnown(id: string): KnownDevice | null {
    return this.find(id) ?? this.#gone.get(id) ?? null;
  }

  /** The name of a device, distinct from others of the same name. */
  nameOf({ id, entries, notes }: KnownDevice): string {
    const named = (device: KnownDevice) => ({ ...device, name: device.entries[0]!.device.name });
    const hasNamesake = namesakes(this.all.map(named)).has(id);
    return deviceName({ id, notes, name: entries[0]!.device.name, hasNamesake });
  }

  /** Reads all there is. `names` are ids that rules name. */
  async load(stores: StoresView, names: ReadonlySet<string>): Promise<void> {
    await this.loadGroups(stores);
    this.#devices.clear();
    for (const device of await stores.devices()) this.#keep(device, names);
  }

  /** Reads some again. */
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

  /** Whether a rule of that scope is for a device. What a rule or a group names need not be the owner's. */
  isIn(scope: RuleScope, device: KnownDevice): boolean {
    if (scope.kind === 'device') return scope.device === device.id;
    if (scope.kind === 'group') return this.#groups.get(scope.group)?.has(device.id) ?? false;
    return isMine(device);
  }

  /**
   * Strangers register as many devices at the public endpoint as they like, so those are not kept. Devices that the
   * owner hid are not kept either: no alert is about them.
   */
  #keep(device: KnownDevice, names: ReadonlySet<string>): void {
    if (device.notes.isHidden) return;
    const isNamed = names.has(device.id) || [...this.#groups.values()].some((devices) => devices.has(device.id));
    if (isNamed || isMine(device)) this.#devices.set(device.id, device);
  }
}
