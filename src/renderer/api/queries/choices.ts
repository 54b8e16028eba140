import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnerChoices } from '../../../shared/owner-data/choices.ts';
import { NO_CHOICES } from '../../../shared/owner-data/no-choices.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

function choicesQuery(node: NodeConnection) {
  return queryOptions({ queryKey: queryKeys(node).choices, queryFn: () => node.api.call('ownerChoices', {}) });
}

/** Asks for what the owner chose before anything is there to show by it. */
export function prefetchChoices(client: QueryClient, node: NodeConnection): void {
  void client.prefetchQuery(choicesQuery(node));
}

/**
 * The owner's choices for all devices; nothing until they are known. Those of the page's own node hold for the devices
 * of others too.
 */
export function useOwnerChoices(): OwnerChoices {
  return useQuery(choicesQuery(useNode().own)).data ?? NO_CHOICES;
}

/** The choices at the node that is shown, by which its alerts go. */
export function useChoicesThere(): OwnerChoices {
  return useQuery(choicesQuery(useNode())).data ?? NO_CHOICES;
}

/** The same; undefined until it is known. */
export function useKnownChoices(): OwnerChoices | undefined {
  return useQuery(choicesQuery(useNode().own)).data;
}

const SAVING = ['setOwnerChoices'];

/** Parts of what the owner chose that are replaced, or what makes them of those that are kept. */
type Change = Partial<OwnerChoices> | ((kept: OwnerChoices) => Partial<OwnerChoices>);

/**
 * Replaces parts of what the owner chose; shown at once. A change of a part that others change too is a function: it is
 * given what is kept by then, so that of two quick ones, or of two pages, none undoes the other.
 */
export function useSetOwnerChoices() {
  const { own: node } = useNode();
  const client = useQueryClient();
  const { choices: key } = queryKeys(node);
  return useMutation({
    mutationKey: SAVING,
    // One after the other, in the order of the owner's changes.
    scope: { id: SAVING.join() },
    mutationFn: async (change: Change) => {
      const parts = typeof change === 'function' ? change(await node.api.call('ownerChoices', {})) : change;
      return node.api.call('setOwnerChoices', parts);
    },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData<OwnerChoices>(key, (before = NO_CHOICES) => ({
        ...before,
        ...(typeof change === 'function' ? change(before) : change),
      }));
    },
    onError: () => client.invalidateQueries({ queryKey: key }),
    onSuccess: (choices) => {
      // An answer to an earlier change must not undo what is shown of a later one.
      if (client.isMutating({ mutationKey: SAVING }) === 1) client.setQueryData(key, choices);
    },
  });
}
