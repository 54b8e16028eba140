import type { Page } from '@playwright/test';

/** The systems that the app is made for; the stand-in plays each of them. */
export type System = 'linux' | 'darwin' | 'win32';

/** How to start the app. */
export interface DesktopOptions {
  /** The user's folder; a fresh one by default. One that is given is not removed. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Whether the session shows a tray; yes by default. `late`: from when `startTray` is called. Linux alone has none. */
  readonly hasTray?: boolean | 'late';
  /** The system that the stand-in plays; SYSTEM by default. */
  readonly system?: System;
  /** Whether the app is to believe that it is installed; from a clone by default. The stand-in alone can tell it so. */
  readonly isPackaged?: boolean;
  /** A packed app, laid out by `layOutPacked`, in place of the build. */
  readonly packed?: { readonly folder: string; readonly main: string };
}

/** Plays the owner and the operating system to the app: the stand-in's channel, or a probe in the real Electron. */
export type Operate = <T>(name: string, ...values: readonly unknown[]) => Promise<T>;

/** An app that was started, whichever way. */
export interface RunningApp {
  readonly operate: Operate;
  readonly exited: Promise<number | null>;
  /** The window's page, once it is there. */
  readonly page: () => Promise<Page>;
  readonly end: () => Promise<void>;
}
