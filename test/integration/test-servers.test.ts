import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../support/postgres.ts';
import { testTemporal } from '../support/temporal.ts';

const database = await testDatabase();
const other = await testDatabase();
const temporal = await testTemporal();

describe('the servers of a test run', () => {
  test('a suite has a migrated database of its own', async () => {
    const [row] = await database.sql`SELECT count(*) AS applied FROM schema_migrations`;
    expect(row?.applied).toBeGreaterThan(0);
    await database.sql`CREATE TABLE only_here (id integer)`;
    const found = await other.sql`SELECT 1 FROM pg_tables WHERE tablename = 'only_here'`;
    expect(found).toHaveLength(0);
  });

  test('many databases can be made at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => testDatabase()));
    expect(new Set(made.map((each) => each.url)).size).toBe(4);
    await Promise.all(made.map((each) => each.close()));
  });

  test('a file has a Temporal namespace of its own, with the search attributes', async () => {
    const { namespaceInfo } = await temporal.connection.workflowService.describeNamespace({
      namespace: temporal.namespace,
    });
    expect(namespaceInfo?.name).toBe(temporal.namespace);
    const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes({
      namespace: temporal.namespace,
    });
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['OrgId', 'AppId']));
  });
});
