import type { Sql } from '../../../storage/postgres.ts';
import { selectConnectedOrganizations } from './connection-queries.ts';

const PAGE = 500;

/** Every organization with a store key, in a stable order. */
export async function connectedOrganizations(sql: Sql): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const page = await selectConnectedOrganizations(sql, all.at(-1) ?? '', PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
