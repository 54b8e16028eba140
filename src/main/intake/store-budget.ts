import type { RefusedDevice } from './refused-devices.ts';

/** Limits what single devices may take of a store, so that none of them fills it for the others. */
export interface StoreBudget {
  /** The devices that were refused within a day, the latest last. */
  readonly refused: readonly RefusedDevice[];
  /** Whether a device may bring nothing more for now. Asked for each block. */
  isOver(deviceId: string): boolean;
  /** Call this for each request of which something was refused, with the device. */
  note(deviceId: string): void;
  /** Call this for each reading of a device that is on disk. */
  stored(deviceId: string): void;
  /** Call this when a device was registered. */
  registered(): void;
  close(): void;
}
