import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, ProcessRole } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { type BunRun, startBunProcess } from './bun-process.ts';
import { type Kept, keep } from './keep.ts';
import type { ChildRecords } from './records.ts';

export type ProcessesContext = {
  config: Config;
  log: Logger;
  records: ChildRecords;
  stopping: AbortSignal;
  /** Added to our own environment for every process. */
  env: Record<string, string>;
};

export type KeptProcesses = {
  /** Where the API listens; undefined when this host runs none. */
  address: string | undefined;
  restart: (graceMs: number) => Promise<void>;
  /** Stops the API, or all the others. */
  stop: (which: 'api' | 'others', graceMs: number) => Promise<void>;
};

/** When one of them does not start, the others have done nothing yet that has to be finished. */
const FAILED_GRACE_MS = 1_000;

type Member = { role: ProcessRole; index: number };

function members(config: Config): Member[] {
  return config.roles
    .filter((role) => existsSync(join(import.meta.dir, '../app/processes', `${role}.ts`)))
    .flatMap((role) => {
      const count = role === 'query' ? config.query.processes : 1;
      return Array.from({ length: count }, (_, index) => ({ role, index }));
    });
}

async function keepMember(
  context: ProcessesContext,
  { role, index }: Member,
  onReady: (run: BunRun) => void,
): Promise<Kept> {
  const { config, records, env } = context;
  const name = role === 'query' && config.query.processes > 1 ? `query-${index}` : role;
  const start = async () => {
    const run = await startBunProcess({
      role,
      index,
      env,
      onStart: (pid) => records.add(name, pid, 'SIGTERM'),
      onEnd: () => records.remove(name),
    });
    onReady(run);
    return run;
  };
  return keep(name, start, context);
}

/** Starts the processes that `ROLE` asks for and keeps them running. */
export async function keepProcesses(context: ProcessesContext): Promise<KeptProcesses> {
  const { config } = context;
  const kept: { role: ProcessRole; process: Kept }[] = [];
  let address: string | undefined;
  const results = await Promise.allSettled(
    members(config).map(async (member) => {
      const process = await keepMember(context, member, (run) => {
        address = run.details.address ?? address;
      });
      kept.push({ role: member.role, process });
    }),
  );
  const stop = async (which: 'api' | 'others', graceMs: number) => {
    const chosen = kept.filter(({ role }) => (role === 'api') === (which === 'api'));
    await Promise.all(chosen.map(({ process }) => process.stop(graceMs)));
  };
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all([stop('api', FAILED_GRACE_MS), stop('others', FAILED_GRACE_MS)]);
    throw failure.reason;
  }
  const restart = async (graceMs: number) => {
    await Promise.all(kept.map(({ process }) => process.restart(graceMs)));
  };
  return { address, restart, stop };
}
