import { join } from 'node:path';
import { Glob } from 'bun';
import { sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { must } from '../../../src/shared/assert.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../events.ts';
import type { TestService } from '../service.ts';

const EVENTS = 20;

export type EventFiles = {
  /** Of rows of both apps. */
  shared: string;
  /** Of one app each, in the order of the apps. */
  own: string[];
};

type Scope = { orgId: string; appId: string };

/** One segment with events of all apps, and of it one file. */
async function compact({ deps }: TestService, apps: readonly Scope[], name: string): Promise<void> {
  const options = { dir: deps.config.events.logDir, log: quietLog(), maxSegmentAgeMs: HOUR_MS };
  const log = await EventLog.open(options);
  for (const { orgId: org, appId: app } of apps) {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      ...{ name, anonymousId: `device-${app}-${n % 4}`, userId: `user-${app}-${n % 4}` },
      props: { secret: app },
    }));
    const body = Buffer.from(JSON.stringify({ events }));
    await log.append({ org, app, key: 'key_1', receivedAt: Date.now(), body });
  }
  await log.close();
  const compactor = await openCompactor(deps);
  await compactAll(compactor);
  compactor.connection.closeSync();
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
  apps: readonly Scope[],
): Promise<EventFiles> {
  await compact(service, apps, 'first_opened');
  await maintainLater(service);
  await compact(service, apps, 'second_opened');
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
