import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { portHolder } from './port-holder.ts';

it.runIf(process.platform === 'linux')('finds the holder of a port while its open files change', async () => {
  // The directory listing of open files is an open file itself, and gone before it is read.
  const files = Array.from({ length: 8 }, () => openSync('/dev/null', 'r'));
  const server = createServer((_request, response) => response.end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  for (const file of files) closeSync(file);
  expect(await portHolder((server.address() as AddressInfo).port)).toMatchObject({
    pid: process.pid,
    wellhouse: 'self',
  });
});
