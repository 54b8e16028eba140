import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnerChoices } from '../../../shared/owner-data/choices.ts';
import { NO_CHOICES } from '../../../shared/owner-data/no-choices.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
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

const SAVING = ['setOwnerChoices'];

/** Replacements for parts of the owner's choices, or a function that returns them for the kept choices. */
type Change = Partial<OwnerChoices> | ((kept: OwnerChoices) => Partial<OwnerChoices>);

/**
 * Replaces parts of the owner's choices; they are shown at once. If others may change the same part, the change must be
 * a function: it gets the choices that are kept by then, so that two quick changes, or two pages, don't undo each
 * other.
 */
export function useSetOwnerChoices() {
  const { own: node } = useNode();
  const client = useQueryClient();
  const { choices: key } = queryKeys(node);
  return useMutation({
    mutationKey: SAVING,
    // The changes run one after the other, in the owner's order.
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
      // The answer to an earlier change must not undo a later one on the page.
      if (client.isMutating({ mutationKey: SAVING }) === 1) client.setQueryData(key, choices);
    },
  });
}
