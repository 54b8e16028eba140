import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeviceNotes, EventName, EventPayload, History, OwnerApi } from '../../shared/owner-api.ts';
import { setNodeNow } from '../now.ts';
import { getApi } from './client.ts';
import { setConnected } from './connection.ts';
import { errorCode } from './errors.ts';
import { createRefresher } from './live.ts';

/** Query keys, from the general to the particular: an event marks a prefix. */
export const keys = {
  nodeInfo: ['nodeInfo'],
  overview: ['overview'],
  settings: ['settings'],
  device: (id: string) => ['device', id],
  latest: (id: string) => ['latest', id],
  history: (id: string) => ['history', id],
} as const;

/**
 * At most twice a second for what many readings make stale: with the node's gathering (250 ms), the refresher's tick and
 * the call itself, a reading is still shown within a second of its arrival when it follows another one closely.
 */
const REFETCH_MS = 500;

/** Times in Unix milliseconds, both inclusive; null is unbounded. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** The client of all queries. Live events tell what is stale, so nothing is refetched for its age alone. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The node is on this machine: whether the browser thinks itself online says nothing.
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => errorCode(error) === 'disconnected' && failures < 2,
        retryDelay: 400,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Listens to the node and refetches what its events make stale. Returns what ends it. */
export function startLive(client: QueryClient, api: OwnerApi): () => void {
  const refresher = createRefresher(client);
  let wasConnected = false;
  const onEvent = <E extends EventName>(event: E, payload: EventPayload<E>): void => {
    if (event === 'settings') {
      refresher.mark(keys.settings, REFETCH_MS);
      refresher.mark(keys.nodeInfo, REFETCH_MS);
      return;
    }
    refresher.mark(keys.overview, REFETCH_MS);
    if (event === 'readings') {
      for (const id of (payload as EventPayload<'readings'>).devices) {
        refresher.mark(keys.device(id), REFETCH_MS);
        refresher.mark(keys.latest(id), 400);
        refresher.mark(keys.history(id), REFETCH_MS);
      }
    }
    // One may have been forgotten, and its readings with it.
    if (event === 'devices') for (const key of ['device', 'latest', 'history']) refresher.mark([key], 400);
  };
  const endListening = api.listen(onEvent, (connected) => {
    setConnected(connected);
    // Events between the loss and the return are gone, and so are those of the time in which nobody looked.
    if (connected && wasConnected) refresher.all();
    wasConnected ||= connected;
  });
  return () => {
    endListening();
    refresher.stop();
  };
}

const nodeInfoQuery = { queryKey: keys.nodeInfo, queryFn: () => getApi().call('nodeInfo', {}) };

/** What the node is and where it listens. */
export function useNodeInfo() {
  return useQuery(nodeInfoQuery);
}

function dayStart(): number {
  return new Date().setHours(0, 0, 0, 0);
}

const overviewQuery = {
  queryKey: keys.overview,
  queryFn: async () => {
    const overview = await getApi().call('overview', { dayStart: dayStart() });
    setNodeNow(overview.now);
    return overview;
  },
};

/** Asks for the overview before anything is there to show it. */
export function prefetchOverview(client: QueryClient): void {
  void client.prefetchQuery(overviewQuery);
  void client.prefetchQuery(nodeInfoQuery);
}

/** All devices with their newest values, the devices that knock, and the totals; refetched at most twice a second. */
export function useOverview() {
  return useQuery({
    ...overviewQuery,
    // A new day, and what falls out of the sparklines' hours, come without an event.
    refetchInterval: 60_000,
  });
}

/** One device with what was withheld of it and how much is stored. */
export function useDevice(id: string) {
  return useQuery({ queryKey: keys.device(id), queryFn: () => getApi().call('device', { id }) });
}

/** The newest readings of a device, newest first. */
export function useLatestReadings(id: string, limit = 500) {
  return useQuery({
    queryKey: [...keys.latest(id), limit],
    queryFn: async () => (await getApi().call('latestReadings', { id, limit })).readings,
  });
}

/** A chart's data and the range that it was asked for. */
export interface RangedHistory extends History {
  readonly range: TimeRange;
}

/** A chart's data over a range; the data of the range before stays until the new one is there. */
export function useHistory(id: string, range: TimeRange, maxPoints: number) {
  return useQuery({
    queryKey: [...keys.history(id), range.from, range.to, maxPoints],
    queryFn: async (): Promise<RangedHistory> => ({
      ...(await getApi().call('history', { id, from: range.from, to: range.to, maxPoints })),
      range,
    }),
    placeholderData: keepPreviousData,
  });
}

/** Keeps what the owner notes on a device. */
export function useSetNotes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, notes }: { id: string; notes: DeviceNotes }) => getApi().call('setNotes', { id, notes }),
    onSuccess: (_notes, { id }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.device(id) }),
        client.invalidateQueries({ queryKey: keys.overview }),
      ]),
  });
}

/** Deletes a device and its readings from one store. */
export function useForgetDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, store }: { id: string; store: 'private' | 'public' }) =>
      getApi().call('forgetDevice', { id, store, confirm: id }),
    // Not waited for: whoever asked must leave the page of a device that is gone before the page finds that out.
    onSuccess: (_answer, { id }) => {
      const changed = [keys.overview, keys.device(id), keys.latest(id), keys.history(id)];
      for (const queryKey of changed) void client.invalidateQueries({ queryKey });
    },
  });
}

/** Starts simulated devices, so that an owner without a device sees how it looks. */
export function useStartDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => getApi().call('startDemo', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.overview }),
  });
}

/** Stops the simulated devices and removes them with what they sent. */
export function useStopDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => getApi().call('stopDemo', {}),
    // Cut off in the middle, some are gone already.
    onSettled: () => client.invalidateQueries({ queryKey: keys.overview }),
  });
}
