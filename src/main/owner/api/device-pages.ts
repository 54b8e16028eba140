import { pointedTo, type ServerLists, sameServers } from '../../../shared/device-page.ts';
import { hostPort } from '../../../shared/host-port.ts';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { AskedDevice, DEVICE_PAGE_METHODS } from '../../../shared/owner-api/device-pages.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Store } from '../../store/port.ts';
import type { Handlers } from '../handlers.ts';
import type { OwnersGate } from './gate.ts';

/** A device that may be on the network. */
interface Wanted {
  readonly id: string;
  readonly mac: string | null;
  readonly address: string | null;
}

/** Requests the pages of devices on the owner's network. */
export interface AsksDevices {
  ask(device: Omit<Wanted, 'address'>, address: string | null): Promise<AskedDevice>;
  askAt(address: string): Promise<AskedDevice>;
  find(wanted: readonly Wanted[]): Promise<Output<'findDevices'>>;
  point(id: string, address: string, before: ServerLists, after: ServerLists): Promise<Output<'pointDevice'>>;
}

export interface DevicePageCallDependencies {
  readonly pages: AsksDevices;
  readonly gate: OwnersGate;
  readonly store: (name: StoreName) => Store | null;
}

/** Answers the owner's calls about devices' own pages. */
export function devicePageHandlers({
  pages,
  gate,
  store,
}: DevicePageCallDependencies): Handlers<keyof typeof DEVICE_PAGE_METHODS> {
  const registered = async (id: string) => (await store('private')?.device(id)) ?? (await store('public')?.device(id));
  return {
    findDevices: async () => {
      // Only the private store counts: devices in the public store may be anyone's.
      const known = (await store('private')?.devices()) ?? [];
      const { attempts, pending } = gate.joining;
      const tried = [...attempts, ...pending].map(({ registration: { id, mac }, address }) => ({ id, mac, address }));
      return pages.find([...tried, ...known.map(({ id, mac }) => ({ id, mac, address: null }))]);
    },
    askDevice: async ({ id, address }) => {
      if (id === null) return pages.askAt(address!);
      return pages.ask({ id, mac: (await registered(id))?.mac ?? null }, address);
    },
    pointDevice: async ({ id, address, before, after }) => {
      const { standing } = gate;
      if (standing.state === 'off') throw new OwnerError('conflict', 'there is no gate');
      const server = hostPort(standing.address, standing.port);
      // The gate may have moved since the owner looked.
      if (!sameServers(pointedTo(before, server, gate.previous), after)) return { state: 'changed' };
      return pages.point(id, address, before, after);
    },
  };
}
