import { version } from '../../../package.json' with { type: 'json' };
import type { Deps, OrgContext } from '../../context.ts';
import { isBacklogOverdue } from '../../event-store/append.ts';
import { catalogueHealth, filesHealth } from '../../event-store/place.ts';
import { lakeStand } from '../../lake/catalogue.ts';
import { fleetingFolder } from '../../observability/needs.ts';
import { errorMessage } from '../../shared/errors.ts';
import { pingQueries } from '../../shared/query-socket.ts';
import { SECOND_MS, toIso } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { freeBytes } from '../../storage/files.ts';
import { ping } from '../../storage/ping.ts';
import { isReadOnlyServer } from '../../storage/postgres.ts';
import { restoredStand } from '../../storage/restored.ts';
import { backupHealth, lastBackups } from '../backup/index.ts';
import { secretsStand } from '../secrets/index.ts';
import { whyClockIsWrong } from './clock.ts';
import { type Dependency, SERVICE_NAME, type Status } from './model.ts';
import { selectColumns, selectOrphans } from './queries.ts';
import { fileWorkIsLeft, whyNoWorkflowRuns } from './task-queues.ts';
import { describeWork, workStand } from './work.ts';
import { selectWork, type WorkKind } from './work-queries.ts';

const PROBE_LIMIT_MS = 2 * SECOND_MS;

const READS_ONLY =
  'PostgreSQL takes no writes: it is a standby or set read-only. Reads go on; writes answer 503.';

type ProbedBy = Pick<Deps, 'config' | 'events' | 'sql' | 'temporal'>;

type Probe = {
  name: string;
  isUp: (deps: ProbedBy) => Promise<boolean | { reason: string } | { note: string | null }>;
  whenUp: string;
  whenDown: string;
};

function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return withTimeout(work(), PROBE_LIMIT_MS).then(
    () => true,
    () => false,
  );
}

const PROBES: readonly Probe[] = [
  {
    name: 'postgres',
    isUp: ({ sql }) =>
      withTimeout(ping(sql), PROBE_LIMIT_MS).then(
        () => true,
        (thrown) => isReadOnlyServer(thrown) && { reason: READS_ONLY },
      ),
    whenUp: 'Records are read and written.',
    whenDown: 'Events of known keys are accepted; most other routes answer 503.',
  },
  {
    name: 'temporal',
    isUp: async (deps) => {
      const reason = await withTimeout(whyNoWorkflowRuns(deps), PROBE_LIMIT_MS).catch(errorMessage);
      return reason === null || { reason };
    },
    whenUp: 'Workflows run.',
    whenDown: 'Events, summaries and funnels go on; workflows wait and are started later.',
  },
  {
    name: 'maintenance',
    isUp: (deps) =>
      withTimeout(fileWorkIsLeft(deps), PROBE_LIMIT_MS).then(
        (isLeft) => !isLeft,
        () => true,
      ),
    whenUp: 'Event files are merged, corrected and expired.',
    whenDown:
      'Event files wait to be merged, corrected and expired: no worker takes them (WORKER_QUEUES=files). Reports go on, and become slower.',
  },
  {
    name: 'compaction',
    isUp: ({ config }) =>
      withTimeout(isBacklogOverdue(config.events.logDir, Date.now()), PROBE_LIMIT_MS).then(
        (isOverdue) => !isOverdue,
        () => ({ reason: 'The event log cannot be read.' }),
      ),
    whenUp: 'Events are compacted into files.',
    whenDown: 'Events are accepted and wait: no compactor runs on the DATA_DIR of this host.',
  },
  {
    name: 'queries',
    isUp: ({ config }) => succeeds(() => pingQueries(config.runDir)),
    whenUp: 'Summaries and funnels are computed.',
    whenDown:
      'Summaries, funnels and reports answer 503; digests, watches and alerts wait. Everything else goes on.',
  },
  {
    name: 'ingest',
    isUp: async ({ config, events }) =>
      (await withTimeout(events.isOpen(), PROBE_LIMIT_MS).catch(() => false)) && {
        note: await withTimeout(fleetingFolder(config), PROBE_LIMIT_MS).catch(() => null),
      },
    whenUp: 'Events are accepted.',
    whenDown:
      'Events are refused with 503: the disk is full (DISK_FLOOR_MB), the log cannot be written, or the bucket cannot be reached (EVENTS_ACK=bucket). Clients keep their batches.',
  },
  {
    name: 'clock',
    // PostgreSQL's own probe reports its outage.
    isUp: (deps) =>
      withTimeout(whyClockIsWrong(deps), PROBE_LIMIT_MS).then(
        (reason) => reason === null || { reason },
        () => true,
      ),
    whenUp: 'The clock of this host agrees with that of the database.',
    whenDown:
      'The clock of this host is wrong, or that of the database: events are taken and get wrong times.',
  },
];

const STANDS_UNKNOWN = 'The database does not say: its own line does.';

type Standing = Pick<Deps, 'clock' | 'config' | 'metrics' | 'sealedColumns' | 'secrets' | 'sql'>;

const STANDS = {
  backups: backupHealth,
  catalogue: catalogueHealth,
  files: filesHealth,
  lake: lakeStand,
  restore: restoredStand,
  secrets: secretsStand,
};

async function probeStands(deps: Standing, work: Promise<WorkKind[]>): Promise<Dependency[]> {
  const workNow = async () => workStand(await work, deps.clock());
  const all = Object.entries({ ...STANDS, work: workNow });
  const stands = all.map(async ([name, standOf]): Promise<Dependency[]> => {
    const stand = await withTimeout(standOf(deps), PROBE_LIMIT_MS).catch(() => 'unknown' as const);
    if (stand === null) return [];
    // The alert is the database's alone.
    if (stand === 'unknown') return [{ name, status: 'down', detail: STANDS_UNKNOWN }];
    deps.metrics.setDependency(name, stand.good);
    return [{ name, status: stand.good ? 'up' : 'down', detail: stand.detail }];
  });
  return (await Promise.all(stands)).flat();
}

async function probeLakeEngine({
  lakeEngine,
  metrics,
}: Pick<Deps, 'lakeEngine' | 'metrics'>): Promise<Dependency[]> {
  if (!lakeEngine) return [];
  const up = await succeeds(() => lakeEngine.ping(AbortSignal.timeout(PROBE_LIMIT_MS)));
  metrics.setDependency('lake_engine', up);
  const detail = up
    ? 'Large questions are computed by the engine of the lake.'
    : 'Large questions answer 503 (LAKE_ENGINE_URL); everything else goes on.';
  return [{ name: 'lake_engine', status: up ? 'up' : 'down', detail }];
}

export type Probed =
  | 'clock'
  | 'config'
  | 'events'
  | 'lakeEngine'
  | 'metrics'
  | 'sealedColumns'
  | 'secrets'
  | 'sql'
  | 'temporal';

export type Examined = Probed | 'objects';

export async function probeDependencies(
  deps: Pick<Deps, Probed>,
  work = selectWork(deps.sql),
): Promise<Dependency[]> {
  const [stands, engine, ...others] = await Promise.all([
    probeStands(deps, work),
    probeLakeEngine(deps),
    ...PROBES.map(async ({ name, isUp, whenUp, whenDown }): Promise<Dependency> => {
      const found = await isUp(deps);
      const said = typeof found === 'object' ? found : {};
      const up = found === true || 'note' in said;
      deps.metrics.setDependency(name, up);
      const more = ('reason' in said ? said.reason : 'note' in said && said.note) || '';
      const detail = `${up ? whenUp : whenDown} ${more}`.trimEnd();
      return { name, status: up ? 'up' : 'down', detail };
    }),
  ]);
  return [...others, ...engine, ...stands];
}

const iso = (at: Date | null | undefined) => (at ? toIso(at) : null);

async function readBackups(
  deps: Pick<Deps, 'clock' | 'config' | 'sql'>,
): Promise<Status['backups']> {
  const last = await lastBackups(deps);
  return {
    scheduled: last !== null,
    everyHours: last?.everyHours ?? null,
    lastVerifiedAt: iso(last?.goodAt),
    lastAttemptAt: iso(last?.attempt?.beganAt),
    lastAttempt: last?.attempt?.state ?? null,
  };
}

async function readColumns({
  config,
  sql,
}: Pick<Deps, 'config' | 'sql'>): Promise<Status['propertyColumns']> {
  const { columnBytes, columnProperties } = await selectColumns(sql);
  return {
    bytes: columnBytes,
    budgetBytes: config.events.columnBytes,
    properties: columnProperties,
  };
}

async function readOrphans({ sql }: Pick<Deps, 'sql'>): Promise<Status['orphanFiles']> {
  const counted = await selectOrphans(sql);
  return counted && { ...counted, countedAt: toIso(counted.countedAt) };
}

export async function getStatus({ deps }: OrgContext<Probed>): Promise<Status> {
  const { config, sql } = deps;
  const kinds = selectWork(sql);
  const within = <T>(work: Promise<T>) => withTimeout(work, PROBE_LIMIT_MS).catch(() => null);
  const [dependencies, diskFreeBytes, backups, propertyColumns, orphanFiles, work] =
    await Promise.all([
      probeDependencies(deps, kinds),
      within(freeBytes(config.dataDir)),
      within(readBackups(deps)),
      within(readColumns(deps)),
      within(readOrphans(deps)),
      within(kinds.then(describeWork)),
    ]);
  return {
    service: SERVICE_NAME,
    ok: dependencies.every(({ status }) => status === 'up'),
    checkedAt: toIso(deps.clock()),
    dependencies,
    release: version,
    diskFreeBytes,
    temporalUiUrl: config.temporal.uiUrl ?? null,
    backups,
    propertyColumns,
    orphanFiles,
    work,
  };
}
