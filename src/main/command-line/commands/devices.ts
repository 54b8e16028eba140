import { deviceName } from '../../../shared/display-text.ts';
import type { AddCommand } from '../command.ts';
import { table, when } from '../output.ts';
import { linkToNode } from '../own-node.ts';

/** `devices`: lists the owner's devices. */
export const addDevices: AddCommand = (program, act) => {
  program
    .command('devices')
    .description('list the devices, and when each sent its last reading')
    .option('--all', 'also list hidden devices')
    .action(
      act<[{ all?: boolean }]>(async ({ dataDir, output }, { all = false }) => {
        const link = await linkToNode(dataDir);
        try {
          const { devices: shown, hidden } = await link.call('overview', { dayStart: new Date().setHours(0, 0, 0, 0) });
          const devices = all ? [...shown, ...hidden] : shown;
          output.answer(devices, () => [
            ...table(
              ['name', 'id', 'stores', 'last heard'],
              devices.map((device) => [
                deviceName(device),
                device.id,
                device.stores.map(({ store }) => store).join(', '),
                when(device.lastReceivedAt),
              ]),
            ),
          ]);
        } finally {
          await link.close();
        }
        return undefined;
      }),
    );
};
