import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../context.ts';
import { deleteLease, renewLease } from '../event-store/read.ts';
import { listAllOrganizations } from '../modules/identity/index.ts';
import { AppError } from '../shared/errors.ts';
import { SECOND_MS } from '../shared/time.ts';
import { openDuck } from '../storage/duckdb.ts';
import { type Answer, askEvents } from './ask.ts';
import { LEASE_SECONDS, openDataset } from './dataset.ts';
import { makeEventsView } from './view.ts';

const TEMP_PER_MEMORY = 4;

export type AnalystSession = {
  organization: string;
  ask: (text: string) => Promise<Answer>;
  /** Ends the question that is being answered. */
  interrupt: () => void;
  close: () => Promise<void>;
};

async function findOrganization(deps: Pick<Deps, 'sql'>, given: string) {
  const all = await listAllOrganizations(deps.sql);
  const found = all.find(({ id, slug }) => id === given || slug === given);
  if (found) return found;
  const [only, ...others] = all.filter(({ name }) => name === given);
  if (only && others.length === 0) return only;
  const known = all.map(({ slug }) => slug).slice(0, 20);
  throw new AppError(
    'not_found',
    others.length > 0
      ? `Several organizations are called "${given}".`
      : `There is no organization "${given}".`,
    { hint: `Give its id or slug: ${known.join(', ')}` },
  );
}

/** Opens the events of one organization, and nothing else, for SQL. */
export async function openAnalystSession(
  deps: Pick<Deps, 'config' | 'objects' | 'sql'>,
  org: string,
): Promise<AnalystSession> {
  const { config, sql } = deps;
  const organization = await findOrganization(deps, org);
  const { leaseId, ...dataset } = await openDataset(deps, organization.id);
  const tempDir = join(config.dataDir, 'tmp', `analyst-${process.pid}`);
  const duck = await openDuck({
    memoryMb: config.query.memoryMb,
    threads: config.query.threads,
    tempDir,
    tempLimitMb: config.query.memoryMb * TEMP_PER_MEMORY,
  });
  const connection = await duck.connect();
  await makeEventsView(connection, { ...dataset, leaseId });
  const renewal = setInterval(
    () => renewLease(sql, leaseId, LEASE_SECONDS).catch(() => undefined),
    (LEASE_SECONDS / 4) * SECOND_MS,
  );
  return {
    organization: organization.name,
    ask: (text) => askEvents(connection, text),
    interrupt: () => connection.interrupt(),
    close: async () => {
      clearInterval(renewal);
      connection.closeSync();
      duck.closeSync();
      rmSync(tempDir, { recursive: true, force: true });
      await deleteLease(sql, leaseId);
    },
  };
}
