import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded with `--import` on Linux: makes fsync refuse a file that was opened only for reading, as Windows does.

const ACCESS_MODE = 3;
const { fsyncSync } = fs;

fs.fsyncSync = (fd) => {
  const [, flags = '0'] = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))!;
  const isForReading = (Number.parseInt(flags, 8) & ACCESS_MODE) === fs.constants.O_RDONLY;
  if (isForReading && fs.fstatSync(fd).isFile()) {
    throw Object.assign(new Error('EPERM: operation not permitted, fsync'), { code: 'EPERM', syscall: 'fsync' });
  }
  fsyncSync(fd);
};
syncBuiltinESMExports();
