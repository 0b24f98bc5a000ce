import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../install.ts';
import { type Job, planJobs, type Seconds } from './plan.ts';
import { filesOf, type TestFile } from './select.ts';

/** How test files name the programs that `.ci/tools` installs. */
const INSTALLED =
  /['"](chromium|helm|javac?|kubeconform|nginx|prometheus|promtool|python3|redis-server|swift|versitygw)['"]|libfaketime|findCompiler/;
const POLL_MS = 500;

export const needsTools = ({ path }: Pick<TestFile, 'path'>): boolean =>
  [...filesOf(join(ROOT, path))].some((each) => INSTALLED.test(readFileSync(each, 'utf8')));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export type Tools = {
  /** Resolves when the installer has ended or the run is interrupted. */
  installed: Promise<void>;
  isAwaitedBy: (job: Job) => boolean;
};

/** `installer` is the process id of `.ci/tools`, which `.ci/run` starts beside the tests. */
export function watchTools(installer: string | undefined, interrupted: AbortSignal): Tools {
  let isInstalled = !installer;
  const end = async () => {
    while (!isInstalled && !interrupted.aborted && isRunning(Number(installer))) {
      await Bun.sleep(POLL_MS);
    }
    isInstalled = true;
  };
  return {
    installed: end(),
    isAwaitedBy: (job) => !isInstalled && job.needsTools === true,
  };
}

/** No process waits for tools because of one of its files. */
export function planAroundTools(
  files: readonly TestFile[],
  seconds: Seconds,
  installer: string | undefined,
): Job[] {
  const { pending = [], others = [] } = Object.groupBy(files, (file) =>
    installer !== undefined && needsTools(file) ? 'pending' : 'others',
  );
  const held = planJobs(pending, seconds).map((job) => ({ ...job, needsTools: true }));
  return [...held, ...planJobs(others, seconds)].toSorted((a, b) => b.seconds - a.seconds);
}
