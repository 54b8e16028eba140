import { ChannelError, type ChannelKind } from './channel.ts';

/** Notifications of the desktop app, and of browsers while a tab is open. */
export const desktop: ChannelKind<'desktop'> = {
  secretsFor: () => '',
  isPlainBeyondLan: () => false,
  open: ({ show }) => ({
    async send(notice) {
      // Tried again as any other: whoever opens the view within the hour is still told.
      if (!show(notice)) throw new ChannelError('no_view', 'nobody listens');
    },
  }),
};
