import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Loads a part of the program when the first page is complete. Loading it earlier would delay that page. */
export function useLoadAhead(load: () => Promise<unknown>): void {
  const client = useQueryClient();
  useEffect(() => {
    let idle: number | null = null;
    const look = () => {
      if (idle !== null || client.isFetching() > 0) return;
      // If this fails, the part is loaded when it is needed.
      idle = requestIdleCallback(() => void load().catch(() => {}));
    };
    const end = client.getQueryCache().subscribe(look);
    look();
    return () => {
      end();
      if (idle !== null) cancelIdleCallback(idle);
    };
  }, [client, load]);
}
