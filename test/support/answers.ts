import { testDatabase } from './postgres.ts';
import { startTestQueries } from './queries.ts';
import { createTestApp, createTestOrg, startTestService } from './service.ts';

/** A service at one moment that answers questions, with an organization and its app. */
export async function startAnswers(nowMs: number) {
  const service = await startTestService(await testDatabase(), {
    with: () => ({ clock: () => new Date(nowMs) }),
  });
  await startTestQueries(service.deps);
  const org = await createTestOrg(service);
  return { ...service, service, org, app: await createTestApp(service, org.orgId) };
}
