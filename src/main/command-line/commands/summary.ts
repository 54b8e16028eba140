import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { linkToNode } from '../own-node.ts';

const SUNDAY = 7;

/** `summary`: prints the present summary message. */
export const addSummary: AddCommand = (program, act) => {
  program
    .command('summary')
    .description('print the summary message of the last day as it would be now; nothing is sent')
    .option('--week', 'of the last seven days')
    .option('--html', 'as the page of HTML that a mail has')
    .action(
      act<[{ readonly week?: true; readonly html?: true }]>(async ({ dataDir, output }, { week, html }) => {
        const link = await linkToNode(dataDir);
        try {
          if (link.how === 'beside') {
            throw new CommandError(`the node on ${dataDir} has no owner API: start it with --ui`, EXIT.busy);
          }
          const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
          const weekday = week === undefined ? null : SUNDAY;
          const answer = await link.order('alertDigest', { weekday, time: '00:00', zone, channels: 'all' });
          output.answer(answer, () => (html === undefined ? [answer.title, '', answer.text] : [answer.html]));
        } finally {
          await link.close();
        }
        return undefined;
      }),
    );
};
