import { Command, InvalidArgumentError } from 'commander';
import { createServer } from 'vite';
import config from '../electron.vite.config.ts';
import { OWNER_PHRASE } from './fake-node/devices.ts';
import { FAKE_TOKEN, fakeNode } from './fake-node/server.ts';

// Serves the page with hot reload and a fake node: no build, no data folder, no desktop.

function integer(most: number) {
  return (text: string): number => {
    if (!/^\d{1,9}$/.test(text) || Number(text) > most) {
      throw new InvalidArgumentError(`it is a whole number from 0 to ${most}.`);
    }
    return Number(text);
  };
}

const program = new Command('dev:ui')
  .description("The owner's view with hot reload, against a fake node.")
  .option('--devices <count>', 'how many devices the fake node has; 0 shows the first run', integer(2000), 7)
  .option('--port <port>', 'where the page is served on 127.0.0.1', integer(65_535), 5173)
  .parse();
const { devices, port } = program.opts<{ devices: number; port: number }>();

const { renderer } = config;
const server = await createServer({
  ...renderer,
  // The build options name the input of a build from another folder, so they are dropped.
  build: {},
  configFile: false,
  clearScreen: false,
  plugins: [renderer?.plugins, fakeNode(devices)],
  server: { host: '127.0.0.1', port, cors: false },
});
await server.listen();
console.log(`The owner's view over a fake node: ${server.resolvedUrls!.local[0]}#token=${FAKE_TOKEN}`);
console.log(`The phrase of its devices' owner, for the keys page: ${OWNER_PHRASE}`);
