import type { Config, ProcessRole } from '../config.ts';
import { type BunRun, startBunProcess } from './bun-process.ts';
import type { LauncherContext } from './embedded.ts';
import { type Supervised, supervise } from './supervised.ts';

type ProcessesContext = LauncherContext & {
  env: Record<string, string>;
  bundle: string | null;
};

export type SupervisedProcesses = {
  details: Readonly<Record<string, string>>;
  restart: (graceMs: number) => Promise<void>;
  stop: (which: 'api' | 'others', graceMs: number) => Promise<void>;
};

const FAILED_GRACE_MS = 1_000;

type Member = { role: ProcessRole; index: number };

function members({ roles, query }: Config): Member[] {
  return roles.flatMap((role) =>
    Array.from({ length: role === 'query' ? query.processes : 1 }, (_, index) => ({ role, index })),
  );
}

async function superviseMember(
  context: ProcessesContext,
  { role, index }: Member,
  onReady: (run: BunRun) => void,
): Promise<Supervised> {
  const { config, log, records, env, bundle } = context;
  const name = role === 'query' && config.query.processes > 1 ? `query-${index}` : role;
  const onStart = (pid: number) => records.add(name, pid, 'SIGTERM');
  const onEnd = () => records.remove(name);
  const onStuck = (pid: number, why: string) =>
    log.error({ process: name, pid, why }, 'process is stuck; ending it');
  const start = async () => {
    const run = await startBunProcess({ role, index, bundle, env, onStart, onEnd, onStuck });
    onReady(run);
    return run;
  };
  return supervise(name, start, context);
}

export async function superviseProcesses(context: ProcessesContext): Promise<SupervisedProcesses> {
  const { config } = context;
  const supervised: { role: ProcessRole; process: Supervised }[] = [];
  const details: Record<string, string> = {};
  const results = await Promise.allSettled(
    members(config).map(async (member) => {
      const process = await superviseMember(context, member, (run) => {
        Object.assign(details, run.details);
      });
      supervised.push({ role: member.role, process });
    }),
  );
  const stop = async (which: 'api' | 'others', graceMs: number) => {
    const selected = supervised.filter(({ role }) => (role === 'api') === (which === 'api'));
    await Promise.all(selected.map(({ process }) => process.stop(graceMs)));
  };
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all([stop('api', FAILED_GRACE_MS), stop('others', FAILED_GRACE_MS)]);
    throw failure.reason;
  }
  const restart = async (graceMs: number) => {
    await Promise.all(supervised.map(({ process }) => process.restart(graceMs)));
  };
  return { details, restart, stop };
}
