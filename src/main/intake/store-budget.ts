import type { RefusedDevice } from './refused-devices.ts';

/** What single devices may take of a store, so that none of them fills it for the others. */
export interface StoreBudget {
  /** The devices that were refused within a day, the latest last. */
  readonly refused: readonly RefusedDevice[];
  /** Whether a device may bring nothing more for now. Asked for each block. */
  isOver(deviceId: string): boolean;
  /** To be called for each request of which something was refused, with the device. */
  note(deviceId: string): void;
  /** To be called for each reading of a device that is on disk. */
  stored(deviceId: string): void;
  /** To be called when a device was registered. */
  registered(): void;
  close(): void;
}
