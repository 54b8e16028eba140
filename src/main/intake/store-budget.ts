import type { RefusedDevice } from './refused-devices.ts';

/** Limits the share of single devices in a store, so that no device fills it for the others. */
export interface StoreBudget {
  /** The devices that were refused within the last day, latest last. */
  readonly refused: readonly RefusedDevice[];
  /** Returns whether a device is over its share now. Called for each block. */
  isOver(deviceId: string): boolean;
  /** Call this once per device for each request with refused blocks. */
  note(deviceId: string): void;
  /** Call this for each reading of a device that is on disk. */
  stored(deviceId: string): void;
  /** Call this when a device was registered. */
  registered(): void;
  close(): void;
}
