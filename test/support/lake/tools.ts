import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const CACHE = join(homedir(), '.cache', 'mobile-control-plane');
const INSTALL_LIMIT_MS = 900_000;

export async function succeeds(command: string[], cwd?: string): Promise<boolean> {
  try {
    const child = Bun.spawn(command, {
      ...{ stdout: 'ignore', stderr: 'ignore', timeout: INSTALL_LIMIT_MS, ...(cwd && { cwd }) },
    });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

/** A Python with these packages, installed where this machine keeps such things; null without. */
export async function findPython(
  name: string,
  packages: readonly string[],
  imports: string,
): Promise<string | null> {
  const folder = join(CACHE, name);
  const python = join(folder, 'bin', 'python');
  const isReady = () => succeeds([python, '-c', `import ${imports}`]);
  if (existsSync(python) && (await isReady())) return python;
  mkdirSync(CACHE, { recursive: true });
  if (!(await succeeds(['python3', '-m', 'venv', folder]))) return null;
  if (!(await succeeds([python, '-m', 'pip', 'install', '-q', ...packages]))) return null;
  return (await isReady()) ? python : null;
}

/** A file of Maven Central, kept like those; null without. */
export async function findJar(path: string): Promise<string | null> {
  const file = join(CACHE, path.split('/').at(-1) ?? '');
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  const url = `https://repo1.maven.org/maven2/${path}`;
  const isThere = await succeeds(['curl', '-sf', '-m', '600', '-o', `${file}.part`, url]);
  if (!isThere) return null;
  // A half of it is never found under the final name.
  renameSync(`${file}.part`, file);
  return file;
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
  if ((await child.exited) !== 0) throw new Error(`${err.slice(-6_000)}\n${out.slice(-2_000)}`);
  return JSON.parse(out.trim().split('\n').at(-1) ?? '');
}
