import { afterAll } from 'bun:test';
import { serveSql } from '../../../src/sql/sandbox/serve.ts';
import { HotEvents } from '../../../src/event-store/read.ts';
import { compactEverything } from '../queries.ts';
import { createTestApp, createTestKey, createTestOrg, type TestService } from '../service.ts';

/** Two organizations with events in files of their own, in a shared file and in the log only. */
export async function twoOrganizations(service: TestService) {
  const { call, deps } = service;
  const hot = new HotEvents(deps, deps.config.events.logDir);
  const server = serveSql({ ...deps, hot }, 0);
  afterAll(() => server.stop());

  const organization = async () => {
    const org = await createTestOrg(service);
    const app = await createTestApp(service, org.orgId);
    return { ...org, ...app, headers: await createTestKey(service, org, ['sql:ask']) };
  };
  type Organization = Awaited<ReturnType<typeof organization>>;
  const [ours, theirs] = [await organization(), await organization()];
  const send = async (to: Organization, name: string, who: object) => {
    const events = [{ name, anonymousId: 'device-1', props: { of: name }, ...who }];
    const answer = await call('/v1/events', { body: { events }, headers: to.device });
    if (answer.status !== 202) throw new Error(answer.text);
  };
  const interleaved = async (place: string) => {
    for (let turn = 0; turn < 3; turn += 1) {
      await send(ours, `our_${place}`, {});
      await send(theirs, `their_${place}`, {});
    }
  };

  for (const [org, name] of [
    [ours, 'our_own_file'],
    [theirs, 'their_own_file'],
  ] as const) {
    await send(org, name, {});
    await compactEverything(deps);
    // As a merge leaves it.
    await deps.sql`
      UPDATE event_files f SET level = 2, org_id = ${org.orgId}, app_id = ${org.appId}
      WHERE org_id IS NULL`;
  }
  await interleaved('shared_file');
  await compactEverything(deps);
  await interleaved('log');
  await send(ours, 'our_sign_up', { userId: 'user-1' });

  const ask = (sql: string, parameters?: object, of = ours) =>
    call('/v1/sql', {
      body: { sql, ...(parameters && { parameters }) },
      headers: of.headers,
    });
  const pathsOf = async (orgId: string | null) => {
    const files = await deps.sql<{ path: string }[]>`
      SELECT path FROM event_files WHERE org_id IS NOT DISTINCT FROM ${orgId}`;
    return Promise.all(files.map(({ path }) => deps.objects.localPath(path)));
  };
  return { ours, theirs, ask, pathsOf, hot };
}
