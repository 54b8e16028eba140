import { PostgresServer, postgresPrograms } from './postgres-server.ts';

/** Starts a server for the whole run if the tests use PostgreSQL; see NodeProcess. */
export default async function setup(): Promise<() => Promise<void>> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PUBLIC_STORE needs a PostgreSQL server in /usr/lib/postgresql');
  const server = await PostgresServer.start(programs);
  process.env.TEST_PUBLIC_STORE_URL = server.address;
  return () => server.stop();
}
