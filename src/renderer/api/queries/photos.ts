import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** A photo of an entry. */
export interface PhotoOfEntry {
  readonly id: string;
  readonly entry: number;
}
type Size = Input<'photo'>['size'];

/** The photos of some devices and of all, oldest first. They follow the journal. */
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

/** The picture of a photo as the address of an image; null: its file is missing. It is asked for once it is wanted. */
export function usePhotoImage(photo: PhotoOfEntry, size: Size, isWanted = true) {
  return useQuery({ ...useImageQuery()(photo, size), enabled: isWanted });
}

/** Gives what asks for a photo before it is shown. */
export function usePrefetchPhoto(): (photo: PhotoOfEntry) => void {
  const client = useQueryClient();
  const query = useImageQuery();
  return useCallback((photo) => void client.prefetchQuery(query(photo, 'full')), [client, query]);
}

/** Adds a photo for an entry that is written next. */
export function useAddPhoto() {
  const node = useNode();
  return useMutation({ mutationFn: (photo: Input<'addPhoto'>) => node.api.call('addPhoto', photo) });
}

/** The space that photos take. */
export function usePhotoSpace() {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).space, 'photos'],
    queryFn: () => node.api.call('photoSpace', {}),
  });
}
