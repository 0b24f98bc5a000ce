import { join } from 'node:path';
import { Glob } from 'bun';
import { sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { openCompactor } from '../../../src/event-store/compactor.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { must } from '../../../src/shared/assert.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { compactEverything } from '../queries.ts';
import type { TestApp, TestService } from '../service.ts';

const EVENTS = 20;

export type EventFiles = {
  /** Of rows of both apps. */
  shared: string;
  /** Of one app each, in the order of the apps. */
  own: string[];
};

async function send({ call }: TestService, app: TestApp, batch: string): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, n) => ({
    name: `${batch}_opened`,
    anonymousId: `device-${app.appId}-${n % 4}`,
    userId: `user-${app.appId}-${n % 4}`,
    props: { secret: app.appId },
  }));
  const { status } = await call('/v1/events', { headers: app.device, body: { events } });
  if (status !== 202) throw new Error(`The events were not accepted: ${status}.`);
}

/** Maintenance two days on, without what it replaced. */
async function maintainLater({ deps }: TestService): Promise<void> {
  const clock = () => new Date(Date.now() + 2 * DAY_MS);
  const compactor = { ...(await openCompactor(deps)), clock };
  let jobs = await planJobs(compactor);
  while (jobs.length > 0) {
    for (const job of jobs) await runJob(compactor, job);
    jobs = await planJobs(compactor);
  }
  compactor.connection.closeSync();
  await deps.sql`
    UPDATE event_files SET retired_at = retired_at - interval '1 hour' WHERE state = 'retired'`;
  await sweepRetired(deps);
}

/** Event files as compaction and a split leave them: one of each app, and then one of all. */
export async function writeEventFiles(
  service: TestService,
  apps: readonly TestApp[],
): Promise<EventFiles> {
  // At once, so that one segment has them all, and one file.
  await Promise.all(apps.map((app) => send(service, app, 'first')));
  await compactEverything(service.deps);
  await maintainLater(service);
  await Promise.all(apps.map((app) => send(service, app, 'second')));
  await compactEverything(service.deps);
  const files = await service.deps.sql<{ fileId: string; appId: string | null }[]>`
    SELECT file_id AS "fileId", app_id AS "appId" FROM event_files WHERE state = 'live'`;
  const fileOf = (appId: string | null) =>
    must(files.find((file) => file.appId === appId)?.fileId, 'every app has an event file');
  if (files.length !== apps.length + 1) throw new Error(`${files.length} event files.`);
  return { shared: fileOf(null), own: apps.map(({ appId }) => fileOf(appId)) };
}

/** The hash of every file below a folder, by its path. */
export async function everyFile(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of new Glob('**/*').scanSync({ cwd: dir, dot: true, onlyFiles: true })) {
    const bytes = await Bun.file(join(dir, path)).bytes();
    found[path] = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  }
  return found;
}
