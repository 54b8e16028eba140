import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { AuditActorKind, AuditKind } from '../../../shared/owner-api/audit-kinds.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

const PAGE = 50;
/** There is no event for refusals and audit entries. */
const LOOK_EVERY_MS = 10_000;

/** Queries the audit log, the latest entry first; null means every kind, or any actor. */
export function useAuditLog(kinds: readonly AuditKind[] | null, by: AuditActorKind | null) {
  const node = useNode();
  return useInfiniteQuery({
    queryKey: [...queryKeys(node).audit, kinds, by],
    queryFn: ({ pageParam }) =>
      node.api.call('auditLog', { kinds: kinds && [...kinds], by, before: pageParam, limit: PAGE }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.hasMore ? (last.entries.at(-1)?.n ?? null) : null),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** Queries the listeners, who has access, and the refusals. */
export function useSecurity() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).security,
    queryFn: () => node.api.call('security', {}),
    // The page must show the current state when it opens.
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** Tells the node that keys were exported from the keystore, for its audit log. */
export function useTellKeysExported() {
  const { own } = useNode();
  return useMutation({
    mutationFn: (what: Input<'tellKeysExported'>['what']) => own.api.call('tellKeysExported', { what }),
  });
}
