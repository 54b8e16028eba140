import { ChannelError, type ChannelKind } from './channel.ts';

/** Notifications of the desktop app, and of browsers while a tab is open. */
export const desktop: ChannelKind<'desktop'> = {
  secretsFor: () => '',
  isPlainBeyondLan: () => false,
  open: ({ show }) => ({
    async send(notice, signal) {
      const shown = await show(notice, signal);
      // Tried again as any other: whoever opens the view, or turns notifications on, within the hour is still told.
      if (shown !== 'shown') throw new ChannelError(shown, '');
    },
  }),
};
