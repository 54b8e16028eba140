import { useLocalStorage } from '@mantine/hooks';

/** The folder on the node's machine that the latest export from this browser went to; null: there was none. */
export function useExportFolder(): [string | null, (folder: string) => void] {
  const [folder, keep] = useLocalStorage<string | null>({
    key: 'wellhouse.export.folder',
    defaultValue: null,
    deserialize: (text) => text ?? null,
    serialize: (folder) => folder ?? '',
    getInitialValueInEffect: false,
  });
  return [folder, keep];
}
