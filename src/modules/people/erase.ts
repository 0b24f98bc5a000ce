import type { AppContext, Deps } from '../../context.ts';
import * as eventStore from '../../event-store/people.ts';
import type { AppScope } from '../../shared/app.ts';
import type { Tx } from '../../storage/postgres.ts';
import { lockApp } from '../../storage/rows-of-app.ts';
import { erasePlaces, type PersonIds } from '../../storage/stored-rows.ts';
import { identify, isUser } from './identify.ts';

const REPEATED_AT_ONCE = 100;

/** At once; the maintenance workflow rewrites files. Final: later events stay erased. */
export async function erasePerson(
  {
    deps,
    scope,
  }: AppContext<
    | 'clock'
    | 'config'
    | 'log'
    | 'memberIds'
    | 'objects'
    | 'personPlaces'
    | 'purchaseProfiles'
    | 'queries'
    | 'sql'
  >,
  { personId }: { personId: string },
): Promise<void> {
  const hot = await eventStore.aliasesInLog(deps, scope);
  const { people } = await identify(deps, { ...scope, personId }, hot);
  // Without the aliases, the other ids cannot be found.
  const { ids, devices } = await deps.sql.begin((tx) =>
    eraseEverywhere(tx, deps, { ...scope, personId }, { hot, people }),
  );
  deps.memberIds.forget(scope, [...ids, ...devices]);
  deps.purchaseProfiles.forget();
  deps.log.info(scope, 'person erased');
}

type Known = { hot: readonly eventStore.AppAlias[]; people: ReadonlySet<string> };

async function eraseEverywhere(
  tx: Tx,
  { personPlaces }: Pick<Deps, 'personPlaces'>,
  { personId, ...scope }: AppScope & { personId: string },
  { hot, people }: Known,
): Promise<PersonIds> {
  await lockApp(tx, scope);
  const person = eventStore.idsOfPerson(
    await eventStore.findIdentity(tx, scope, personId, hot, people),
  );
  await erasePlaces(tx, personPlaces, scope, person);
  await eventStore.eraseFromEvents(tx, scope, personId, hot, people);
  return person;
}

/** Known only to another host's log; hidden since its compaction. */
export async function repeatErasures(
  deps: Pick<Deps, 'clock' | 'personPlaces' | 'log' | 'queries' | 'sql'>,
): Promise<void> {
  for (const erasure of await eventStore.repeatableErasures(deps.sql, REPEATED_AT_ONCE)) {
    const devices = [erasure.personId];
    const person = { devices, ids: (await isUser(deps, erasure)) ? [] : devices };
    await deps.sql.begin(async (tx) => {
      await erasePlaces(tx, deps.personPlaces, erasure, person);
      await eventStore.finishRepeated(tx, erasure);
    });
    const { orgId, appId } = erasure;
    deps.log.info({ orgId, appId }, 'device of an erased person erased');
  }
  await eventStore.vacuumErased(deps.sql, [
    'event_people',
    ...deps.personPlaces.map(({ table }) => table),
  ]);
}
