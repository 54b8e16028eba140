import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnerChoices } from '../../../shared/owner-data/choices.ts';
import { NO_CHOICES } from '../../../shared/owner-data/no-choices.ts';
import { type Change, changed } from '../change.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { savingKey } from '../refresher.ts';
import { queryKeys } from './client.ts';

function choicesQuery(node: NodeConnection) {
  return queryOptions({ queryKey: queryKeys(node).choices, queryFn: () => node.api.call('ownerChoices', {}) });
}

/** Fetches the owner's choices before the first component needs them. */
export function prefetchChoices(client: QueryClient, node: NodeConnection): void {
  void client.prefetchQuery(choicesQuery(node));
}

/**
 * Returns the owner's choices at the page's own node, which also apply to devices of other nodes; empty until they are
 * loaded.
 */
export function useOwnerChoices(): OwnerChoices {
  return useQuery(choicesQuery(useNode().own)).data ?? NO_CHOICES;
}

/** Returns the choices at the shown node. Its alerts use them. */
export function useChoicesThere(): OwnerChoices {
  return useQuery(choicesQuery(useNode())).data ?? NO_CHOICES;
}

/** Returns the owner's choices at the page's own node; undefined until they are loaded. */
export function useKnownChoices(): OwnerChoices | undefined {
  return useQuery(choicesQuery(useNode().own)).data;
}

/** Replaces parts of the owner's choices; they are shown at once. */
export function useSetOwnerChoices() {
  const { own: node } = useNode();
  const client = useQueryClient();
  const { choices: key } = queryKeys(node);
  const mutationKey = savingKey(key);
  // The answer to an earlier change must not undo a later one on the page.
  const isLast = (): boolean => client.isMutating({ mutationKey }) === 1;
  return useMutation({
    mutationKey,
    // The changes run one after the other, in the owner's order.
    scope: { id: mutationKey.join() },
    mutationFn: async (change: Change<OwnerChoices>) => {
      const parts = typeof change === 'function' ? change(await node.api.call('ownerChoices', {})) : change;
      return node.api.call('setOwnerChoices', parts);
    },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData<OwnerChoices>(key, (before = NO_CHOICES) => changed(before, change));
    },
    onError: () => (isLast() ? client.invalidateQueries({ queryKey: key }) : undefined),
    onSuccess: (choices) => {
      if (isLast()) client.setQueryData(key, choices);
    },
  });
}
