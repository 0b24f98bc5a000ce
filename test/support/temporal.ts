import { afterAll } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { ROOT } from './sources.ts';

export type TestTemporal = {
  address: string;
  /** A namespace that no other test file uses, with the search attributes of this service. */
  namespace: string;
  /** For suites that run workers of their own beside others of the same file. */
  taskQueue: string;
  connection: Connection;
  client: Client;
};

/** The shared development server. Call it at the top of a file or in `beforeAll`. */
export async function testTemporal(): Promise<TestTemporal> {
  const address = process.env.TEST_TEMPORAL_ADDRESS;
  // `Bun.main` is the file of tests that runs at the moment.
  const namespaces = JSON.parse(process.env.TEST_TEMPORAL_NAMESPACES ?? '{}');
  const namespace = namespaces[relative(ROOT, Bun.main)];
  if (!address || !namespace) {
    throw new Error('No test server: run this file with "bun run test PATH".');
  }
  const connection = await Connection.connect({ address });
  afterAll(() => connection.close());
  return {
    address,
    namespace,
    taskQueue: `suite-${randomBytes(4).toString('hex')}`,
    connection,
    client: new Client({ connection, namespace }),
  };
}
