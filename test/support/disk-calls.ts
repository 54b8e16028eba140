import fs from 'node:fs';
import fsp, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** The calls of Node's file system whose order decides what a power cut leaves, and a way to end the recording. */
export interface DiskCalls {
  /** `sync PATH`, `rename FROM TO` and `remove PATH`, in the order in which they ended. */
  readonly calls: readonly string[];
  /** Calls the functions of Node as before. */
  end(): void;
}

type Patched = Partial<Record<'openSync' | 'fsyncSync' | 'writeFileSync' | 'renameSync' | 'rmSync', unknown>>;

/** Records until `end` is called. Databases sync by themselves, and are not recorded. */
export function recordDiskCalls(): DiskCalls {
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync, writeFileSync, renameSync, rmSync } = fs;
  const { open, rename, rm, writeFile } = fsp;
  const syncs = (path: unknown, options: unknown): void => {
    if ((options as { flush?: boolean } | undefined)?.flush === true) calls.push(`sync ${path}`);
  };
  const patched: Patched = {
    openSync: (...args: Parameters<typeof openSync>) => {
      const file = openSync(...args);
      paths.set(file, String(args[0]));
      return file;
    },
    fsyncSync: (file: number) => {
      fsyncSync(file);
      calls.push(`sync ${paths.get(file)}`);
    },
    writeFileSync: (...args: Parameters<typeof writeFileSync>) => {
      writeFileSync(...args);
      syncs(args[0], args[2]);
    },
    renameSync: (from: string, to: string) => {
      renameSync(from, to);
      calls.push(`rename ${from} ${to}`);
    },
    rmSync: (...args: Parameters<typeof rmSync>) => {
      rmSync(...args);
      calls.push(`remove ${args[0]}`);
    },
  };
  Object.assign(fs, patched);
  Object.assign(fsp, {
    open: async (...args: Parameters<typeof open>): Promise<FileHandle> => {
      const file = await open(...args);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        calls.push(`sync ${args[0]}`);
      };
      return file;
    },
    writeFile: async (...args: Parameters<typeof writeFile>) => {
      await writeFile(...args);
      syncs(args[0], args[2]);
    },
    rename: async (from: string, to: string) => {
      await rename(from, to);
      calls.push(`rename ${from} ${to}`);
    },
    rm: async (...args: Parameters<typeof rm>) => {
      await rm(...args);
      calls.push(`remove ${args[0]}`);
    },
  });
  syncBuiltinESMExports();
  return {
    calls,
    end() {
      Object.assign(fs, { openSync, fsyncSync, writeFileSync, renameSync, rmSync });
      Object.assign(fsp, { open, rename, rm, writeFile });
      syncBuiltinESMExports();
    },
  };
}

/** Makes Node report this room on every disk, in blocks of a byte; returns a function that ends it. */
export function reportRoom(freeBytes: number, totalBytes: number): () => void {
  const { statfs } = fsp;
  Object.assign(fsp, { statfs: async () => ({ bavail: freeBytes, blocks: totalBytes, bsize: 1 }) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fsp, { statfs });
    syncBuiltinESMExports();
  };
}
