import * as system from '../../modules/system/index.ts';
import type { Deps } from '../../context.ts';
import { isPublic } from '../../shared/own-origin.ts';
import { toIso } from '../../shared/time.ts';
import { ADDRESS_CHECKS } from './address-checks.ts';
import { BUCKET_CHECKS } from './bucket-checks.ts';
import { type About, runChecks, type Check } from './check.ts';
import { DATABASE_CHECKS, SCHEMA } from './database-checks.ts';
import { HOST_CHECKS } from './host-checks.ts';
import { SERVICE_CHECKS } from './service-checks.ts';

const RUNBOOK = 'docs/runbook.md says what to do.';

const CURES: readonly (readonly [name: string, cure: string, when?: 'live'])[] = [
  ['clock', 'Set the clocks of this host and of PostgreSQL (NTP).'],
  ['secrets', 'Put the key of before back behind the first one in SECRETS_KEY, then rotate.'],
  ['temporal', 'Start a host with ROLE=worker,query; its log says why it does not begin.', 'live'],
  ['maintenance', 'Let a worker take the queue files (WORKER_QUEUES).', 'live'],
  ['compaction', 'Start a compactor on this DATA_DIR (ROLE).', 'live'],
  ['queries', 'Start a query process on this DATA_DIR (ROLE).', 'live'],
  ['ingest', 'Free the disk of DATA_DIR, or bring the bucket back.', 'live'],
  ['work', `Read the log of the worker; ${RUNBOOK}`, 'live'],
  ['catalogue', RUNBOOK],
  ['files', RUNBOOK],
  ['lake', 'Read the log of the compactor.'],
  ['lake_engine', 'Start Trino, or correct LAKE_ENGINE_URL.'],
  ['restore', 'Run "bun run admin restore settle".'],
  ['backups', 'Read the log of the worker, and make one now: "bun run admin backup FOLDER".'],
];

const probes = new WeakMap<About, Promise<system.Dependency[]>>();

async function dependency(about: About, name: string): Promise<system.Dependency | undefined> {
  const probe = probes.get(about) ?? system.probeDependencies(about.deps);
  probes.set(about, probe);
  return (await probe).find((one) => one.name === name);
}

const STATUS_CHECKS: readonly Check[] = [
  ...CURES.map(
    ([name, cure, when]): Check => ({
      name: `status-${name}`,
      question: `Is "${name}" of the status up?`,
      cure,
      after: SCHEMA,
      find: async (about) => {
        const probed =
          when === 'live' && !about.isRunning ? undefined : await dependency(about, name);
        if (probed === undefined) return null;
        return probed.status === 'up' ? [] : [{ found: probed.detail }];
      },
    }),
  ),
  {
    name: 'backups-set',
    question: 'Are backups made?',
    severity: 'warning',
    cure: 'Set BACKUP_TO to another disk or a bucket.',
    find: async ({ deps: { config } }) =>
      config.backups === null && isPublic(config)
        ? [{ found: 'BACKUP_TO is not set: no backups are made.' }]
        : [],
  },
];

const CHECKS = [
  ...HOST_CHECKS,
  ...ADDRESS_CHECKS,
  ...DATABASE_CHECKS,
  ...BUCKET_CHECKS,
  ...SERVICE_CHECKS,
  ...STATUS_CHECKS,
];

export const examine = (about: About) => runChecks(CHECKS, about);

export async function examineRunning(
  deps: Pick<Deps, system.Examined>,
  arrival: system.Arrival | null,
): Promise<system.DoctorReport> {
  const servers = { postgres: true, temporal: true };
  const checks = await examine({
    ...{ deps, servers, isRunning: true, pid: 'self' },
    arrived: async () => arrival,
  });
  const ok = checks.every(({ status }) => status !== 'error');
  return { ok, checkedAt: toIso(deps.clock()), arrival, checks };
}
