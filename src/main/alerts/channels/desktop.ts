import { ChannelError, type ChannelKind } from './channel.ts';

/** Shows notifications of the desktop app, and of browsers while a tab is open. */
export const desktop: ChannelKind<'desktop'> = {
  secretsFor: () => '',
  isPlainBeyondLan: () => false,
  open: ({ show }) => ({
    async send(notice, signal) {
      const shown = await show(notice, signal);
      // The message is retried like any other, so that an owner who opens the view or turns notifications on within the
      // hour still gets it.
      if (shown !== 'shown') throw new ChannelError(shown, '');
    },
  }),
};
