import type { PagePreferences } from './page-side.ts';

/** The messages of the app about a page, and the page's requests to it. */
export interface PageOwner {
  readonly preferences: PagePreferences & { readonly preload: string };
  /** Whether a frame may show another address, which is the app's own (`app://…`). */
  mayLoad(url: string, isMainFrame: boolean): boolean;
  /** Whether the page may open a window there. */
  mayOpen(url: string): boolean;
  /** A call over IPC, of values and to an answer in the text of codec.ts. */
  invoke(
    frame: { readonly url: string; readonly parent: object | null },
    channel: string,
    values: string,
  ): Promise<string>;
  /** The page said something on its console. */
  said(message: { level: string; message: string; sourceId: string; lineNumber: number }): void;
}

/** The page of a window. Addresses are those of the app, `app://…`. */
export interface ShownPage {
  url(): string;
  /** Resolves once it is loaded. */
  load(url: string): Promise<void>;
  reload(): void;
  /** Sends to the page, values in the text of codec.ts; one that is gone hears nothing, as in Electron. */
  send(channel: string, values: string): void;
  close(): void;
}

/** Shows the pages of all windows. */
export interface Pages {
  /** Called before the app is ready. */
  open(): Promise<void>;
  make(owner: PageOwner): Promise<ShownPage>;
  close(): Promise<void>;
}
