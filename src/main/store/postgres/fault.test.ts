import { expect, it } from 'vitest';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { isGone, NO_CONNECTION_IN_TIME, repeated, unavailable } from './fault.ts';

/** An error as the driver throws it. */
const error = (code: string | undefined, message = 'told by the server') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

it.each([
  ['disk_full', '53100', 'full'],
  ['read_only_sql_transaction', '25006', 'read_only'],
  ['insufficient_privilege', '42501', 'read_only'],
  ['serialization_failure', '40001', 'busy'],
  ['deadlock_detected', '40P01', 'busy'],
  ['too_many_connections', '53300', 'busy'],
  ['lock_not_available', '55P03', 'busy'],
  ['query_canceled', '57014', 'busy'],
  ['data_corrupted', 'XX001', 'damaged'],
  ['index_corrupted', 'XX002', 'damaged'],
  ['undefined_table', '42P01', 'newer'],
  ['undefined_column', '42703', 'newer'],
  ['connection_failure', '08006', 'unreachable'],
  ['invalid_catalog_name', '3D000', 'unreachable'],
  ['invalid_password', '28P01', 'unreachable'],
  ['out_of_memory', '53200', 'unreachable'],
  ['admin_shutdown', '57P01', 'unreachable'],
  ['a refused connection', 'ECONNREFUSED', 'unreachable'],
  ['a certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable'],
])('%s (%s) is a fault of the storage: %s', (_name, code, fault) => {
  expect(unavailable(error(code))).toMatchObject({
    ...{ name: 'StorageUnavailable', code: fault, message: 'told by the server' },
  });
});

it('the driver’s own errors are faults of the connection, and a wrong statement is none', () => {
  expect(unavailable(error(undefined, NO_CONNECTION_IN_TIME))).toMatchObject({ code: 'unreachable' });
  expect(unavailable(error(undefined, 'Query read timeout'))).toMatchObject({ code: 'unreachable' });
  expect(unavailable(error(undefined, 'SASL: client password must be a string'))).toMatchObject({
    ...{ code: 'unreachable', message: expect.stringContaining('PGPASSWORD') },
  });
  for (const own of [error('23505'), error('42601'), error(undefined, 'a bug')]) expect(unavailable(own)).toBe(own);
  const known = new StorageUnavailable('limit', 'the store is full');
  expect(unavailable(known)).toBe(known);
});

it.each(['23503', '40001', '40P01'])(
  'a write that the server undid with %s is repeated, five times at most',
  async (code) => {
    for (const failures of [1, 4]) {
      let tries = 0;
      const write = async () => {
        tries += 1;
        // The store wraps what the server said.
        if (tries <= failures) throw tries % 2 === 0 ? error(code) : new Error('wrapped', { cause: error(code) });
        return 'written';
      };
      expect(await repeated(write)).toBe('written');
      expect(tries).toBe(failures + 1);
    }
    let tries = 0;
    const never = repeated(async () => {
      tries += 1;
      throw error(code, `try ${tries}`);
    });
    await expect(never).rejects.toThrow('try 5');
  },
);

it.each(['23505', '57014', '53100', undefined])('a write that failed with %s is not repeated', async (code) => {
  let tries = 0;
  const write = async () => {
    tries += 1;
    throw error(code);
  };
  await expect(repeated(write)).rejects.toThrow('told by the server');
  expect(tries).toBe(1);
});

it('a server that stops, starts or takes no writes for now may succeed later, and a wrong password may not', () => {
  for (const code of ['08006', '53300', '57P03', 'ECONNREFUSED']) expect(isGone(error(code))).toBe(true);
  expect(isGone(new StorageUnavailable('read_only', 'a standby'))).toBe(true);
  expect(isGone(Object.assign(new StorageUnavailable('unreachable', 'gone'), { cause: error('57P01') }))).toBe(true);
  for (const code of ['28P01', '3D000', '42P01']) expect(isGone(error(code))).toBe(false);
  expect(isGone(error(undefined, 'Connection terminated unexpectedly'))).toBe(true);
  expect(isGone(error(undefined, 'The server does not support SSL connections'))).toBe(false);
});
