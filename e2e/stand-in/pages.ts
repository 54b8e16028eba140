import type { PagePreferences } from './page-side.ts';

/** The requests and messages from a page to the app. */
export interface PageOwner {
  readonly preferences: PagePreferences & { readonly preload: string };
  /** Returns whether a frame may load another address, in the app's form (`app://…`). */
  mayLoad(url: string, isMainFrame: boolean): boolean;
  /** Returns whether the page may open a window with this address. */
  mayOpen(url: string): boolean;
  /** Makes an IPC call. Values and answer are in the text form of codec.ts. */
  invoke(
    frame: { readonly url: string; readonly parent: object | null },
    channel: string,
    values: string,
  ): Promise<string>;
  /** Passes on a message on the page's console. */
  said(message: { level: string; message: string; sourceId: string; lineNumber: number }): void;
}

/** The page of a window. Addresses are in the app's form, `app://…`. */
export interface ShownPage {
  url(): string;
  /** Resolves when the page is loaded. */
  load(url: string): Promise<void>;
  reload(): void;
  /** Sends values in the text form of codec.ts to the page. A closed page receives nothing, as in Electron. */
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
