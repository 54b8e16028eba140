import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** A photo and its journal entry. */
export interface PhotoOfEntry {
  readonly id: string;
  readonly entry: number;
}
type Size = Input<'photo'>['size'];

/** Queries the photos of some devices and of all devices, oldest first. They become stale with the journal. */
export function usePhotos({ devices, from, to }: Input<'photos'>) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).journal, 'photos', devices, from, to],
    queryFn: () => node.api.call('photos', { devices, from, to }),
    placeholderData: (before) => before,
  });
}

function useImageQuery() {
  const node = useNode();
  return useCallback(
    ({ id, entry }: PhotoOfEntry, size: Size) => ({
      queryKey: [...queryKeys(node).photo, id, entry, size],
      queryFn: async () => {
        const { image } = await node.api.call('photo', { photo: id, entry, size });
        return image === null ? null : `data:image/jpeg;base64,${image}`;
      },
    }),
    [node],
  );
}

/** Queries the image of a photo, as a URL; null if its file is missing. It is fetched only if `isWanted`. */
export function usePhotoImage(photo: PhotoOfEntry, size: Size, isWanted = true) {
  return useQuery({ ...useImageQuery()(photo, size), enabled: isWanted });
}

/** Returns a function that fetches a photo before it is shown. */
export function usePrefetchPhoto(): (photo: PhotoOfEntry) => void {
  const client = useQueryClient();
  const query = useImageQuery();
  return useCallback((photo) => void client.prefetchQuery(query(photo, 'full')), [client, query]);
}

/** Uploads a photo for an entry that is written afterwards. */
export function useAddPhoto() {
  const node = useNode();
  return useMutation({ mutationFn: (photo: Input<'addPhoto'>) => node.api.call('addPhoto', photo) });
}

/** Queries the space that photos use. */
export function usePhotoSpace() {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).space, 'photos'],
    queryFn: () => node.api.call('photoSpace', {}),
  });
}
