import type { Page } from '@playwright/test';

/** The systems that the app supports. The stand-in simulates each of them. */
export type System = 'linux' | 'darwin' | 'win32';

/** The options of a start of the app. */
export interface DesktopOptions {
  /** The user's folder; by default a new one. A given folder is not removed. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /**
   * Whether the session has a tray; true by default. `late`: it has one after `startTray`. Only on Linux it may have
   * none.
   */
  readonly hasTray?: boolean | 'late';
  /** The system that the stand-in simulates; SYSTEM by default. */
  readonly system?: System;
  /**
   * Whether the app believes that it is installed; by default it runs from a clone. Only the stand-in supports this.
   */
  readonly isPackaged?: boolean;
  /** A packed app, unpacked by `layOutPacked`, in place of the build. */
  readonly packed?: { readonly folder: string; readonly main: string };
}

/**
 * Acts as the owner and the operating system for the app, over the stand-in's channel or a probe in the real Electron.
 */
export type Operate = <T>(name: string, ...values: readonly unknown[]) => Promise<T>;

/** A started app, in either way. */
export interface RunningApp {
  readonly operate: Operate;
  readonly exited: Promise<number | null>;
  /** Returns the window's page when it exists. */
  readonly page: () => Promise<Page>;
  readonly end: () => Promise<void>;
}
