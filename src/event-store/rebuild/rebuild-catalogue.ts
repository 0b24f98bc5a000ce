import type { AppScope } from '../../shared/app.ts';
import type { Tx } from '../../storage/postgres.ts';
import * as catalogue from '../catalogue/queries.ts';
import { noteWhole } from '../catalogue/sweep-queries.ts';
import type { NewEventFile, NewKeyRun } from '../file/event-file.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { insertAliases } from '../people/queries.ts';
import { writeIdentities } from './identities.ts';
import { type FoundPeople, findPeople } from './people.ts';
import { type PlanOptions, planRebuild, type RebuildPlan } from './plan.ts';
import { countNoAliases, eraseAgain, liveFilesToRead } from './queries.ts';
import { findStoredSegments } from './waiting-segments.ts';

export type Rebuilt = Omit<RebuildPlan, 'added'> & {
  added: number;
  apps: AppScope[];
  aliases: number;
  erasedAgain: number;
  segments: number;
};

type RebuiltFacts = { people: FoundPeople; runs: NewKeyRun[]; segments: string[] };

const ALIASES_AT_ONCE = 10_000;

/** Unknown aliases, so all count as late. */
const NO_PEOPLE_SEQ = 0;

async function insertAll(tx: Tx, { seq, added, retired }: RebuildPlan, learnt: RebuiltFacts) {
  if ((await catalogue.lockCatalogue(tx)) !== seq) throw new catalogue.CatalogueMoved();
  const next = await catalogue.advanceCatalogue(tx);
  await catalogue.retireFiles(tx, retired);
  for (const file of added) await catalogue.insertFile(tx, file, NO_PEOPLE_SEQ);
  for (const run of learnt.runs) await catalogue.insertRun(tx, run, next);
  const { aliases, erased } = learnt.people;
  for (let from = 0; from < aliases.length; from += ALIASES_AT_ONCE) {
    await insertAliases(tx, aliases.slice(from, from + ALIASES_AT_ONCE), next);
  }
  await countNoAliases(
    tx,
    added.map(({ fileId }) => fileId),
  );
  await eraseAgain(tx, erased, next);
  if (learnt.segments.length > 0) await catalogue.insertSegments(tx, learnt.segments, next);
  await noteWhole(tx);
}

function appsIn(added: readonly NewEventFile[]): AppScope[] {
  const apps = added.flatMap((file) => file.apps);
  return [...new Map(apps.map(({ orgId, appId }) => [appId, { orgId, appId }])).values()];
}

/** One transaction, which calls `settle`. Idempotent across crashes. */
export async function rebuildCatalogue(
  compactor: Compactor,
  options: PlanOptions,
  settle: (tx: Tx) => Promise<void>,
): Promise<Rebuilt> {
  const { sql } = compactor;
  const { dryRun, report } = options;
  const plan = await planRebuild(compactor, options);
  const apps = appsIn(plan.added);
  const kept = await liveFilesToRead(sql, plan.retired);
  report('reading people and identities');
  const rebuilt: RebuiltFacts = {
    people: await findPeople(compactor, plan.added, apps),
    segments: await findStoredSegments(compactor, [...kept, ...plan.added]),
    runs: dryRun ? [] : await writeIdentities(compactor, plan.added),
  };
  if (!dryRun) {
    await sql.begin(async (tx) => {
      await insertAll(tx, plan, rebuilt);
      await settle(tx);
    });
  }
  return {
    ...plan,
    added: plan.added.length,
    apps,
    aliases: rebuilt.people.aliases.length,
    erasedAgain: rebuilt.people.erased.length,
    segments: rebuilt.segments.length,
  };
}
