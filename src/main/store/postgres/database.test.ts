import { describe, expect, it } from 'vitest';
import { StartError } from '../../common/start-error.ts';
import type { StoreLocation } from '../engine.ts';
import { partsOf } from './database.ts';

const partsWith = (query: string) => partsOf(`postgres://me:secret@one,two:5433/db${query}` as StoreLocation);

describe('the address of a store', () => {
  it('has an address for each host, and the schema of the store', () => {
    expect(partsWith('?schema=mine')).toEqual({
      addresses: ['postgres://me:secret@one/db', 'postgres://me:secret@two:5433/db'],
      schema: 'mine',
    });
    expect(partsWith('').schema).toBe('wellhouse');
  });

  it.each(['disable', 'require', 'verify-ca', 'verify-full'])('may have sslmode=%s', (mode) => {
    const [address] = partsWith(`?sslmode=${mode}&sslrootcert=ca.pem`).addresses;
    expect(address).toContain(`sslmode=${mode}&sslrootcert=ca.pem&uselibpqcompat=true`);
  });

  it.each([
    ...['sslmode=prefer', 'sslmode=allow', 'sslmode=no-verify', 'sslmode='],
    ...['schema=Bad"x', 'schema=1st', 'schema='],
  ])('is refused with %s, in a sentence without the password', (parameter) => {
    const refused = () => partsWith(`?${parameter}`);
    expect(refused).toThrow(StartError);
    expect(refused).toThrow(`the address of the public store has ${parameter}: `);
    expect(refused).not.toThrow('secret');
  });

  it('needs the authority’s certificate for sslmode=verify-ca', () => {
    expect(() => partsWith('?sslmode=verify-ca')).toThrow(StartError);
    expect(() => partsWith('?sslmode=verify-ca')).toThrow('sslrootcert');
  });
});
