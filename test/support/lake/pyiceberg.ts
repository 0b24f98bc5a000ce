import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = ['pyiceberg[pyarrow,sql-postgres]==0.12.0'];
const INSTALL_LIMIT_MS = 300_000;

async function succeeds(command: string[]): Promise<boolean> {
  try {
    const child = Bun.spawn(command, {
      ...{ stdout: 'ignore', stderr: 'ignore', timeout: INSTALL_LIMIT_MS },
    });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

/** A Python that has PyIceberg, installed where this machine keeps such things; null without. */
export async function findPyIceberg(): Promise<string | null> {
  const cache = join(homedir(), '.cache', 'mobile-control-plane');
  const folder = join(cache, 'pyiceberg-0.12.0');
  const python = join(folder, 'bin', 'python');
  const isReady = () => succeeds([python, '-c', 'import pyiceberg, pyarrow, psycopg2']);
  if (existsSync(python) && (await isReady())) return python;
  mkdirSync(cache, { recursive: true });
  if (!(await succeeds(['python3', '-m', 'venv', folder]))) return null;
  if (!(await succeeds([join(folder, 'bin', 'pip'), 'install', '-q', ...PACKAGES]))) return null;
  return (await isReady()) ? python : null;
}

/** Runs a script; what it prints last is its answer, in JSON. */
export async function runPython(
  python: string,
  script: string,
  env: Record<string, string>,
): Promise<unknown> {
  const child = Bun.spawn([python, '-c', script], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(err.slice(-4_000));
  return JSON.parse(out.trim().split('\n').at(-1) ?? '');
}
