import { join } from 'node:path';
import { ROOT } from './sources.ts';

/** As it is typed in another terminal, which has none of the settings of the service. */
export async function type(line: string, more: Record<string, string> = {}) {
  const child = Bun.spawn(['sh', '-c', line], {
    cwd: ROOT,
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
      LOG_LEVEL: 'error',
      ...more,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out, err, code: await child.exited };
}
