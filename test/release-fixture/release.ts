import { join } from 'node:path';
import { type Instance, startInstance } from '../support/instance.ts';

/** The code of a release, and one installation that it runs. */
export type Release = {
  start: (roles?: string) => Promise<Instance>;
  /** Runs a command of the operator; gives what it prints. */
  admin: (...words: string[]) => Promise<string>;
};

export function releaseAt(root: string, dataDir: string, env: Record<string, string>): Release {
  return {
    start: (roles) =>
      startInstance({ root, dataDir, env: { ...env, ...(roles && { ROLE: roles }) } }),
    admin: async (...words) => {
      const child = Bun.spawn([process.execPath, join(root, 'src/admin/main.ts'), ...words], {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      if ((await child.exited) !== 0) throw new Error(`admin ${words.join(' ')}: ${err}`);
      return out;
    },
  };
}

/** SIGKILL for the supervisor first, so that it starts nothing again, then for its processes. */
export async function killAll(instance: Instance): Promise<void> {
  const children = Object.values(instance.children());
  instance.kill('SIGKILL');
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with its supervisor.
    }
  }
  await instance.exited;
}
