import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '4.32.5';
const INSTALL_LIMIT_MS = 5 * 60_000;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
];

async function succeeds(command: readonly string[]): Promise<boolean> {
  try {
    const child = Bun.spawn([...command], {
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: INSTALL_LIMIT_MS,
    });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

/** The program, installed into a virtual environment in `cacheDir`; null where that cannot be done. */
export async function findSchemathesis(cacheDir: string): Promise<string | null> {
  const folder = join(cacheDir, `schemathesis-${VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  mkdirSync(cacheDir, { recursive: true });
  if (!(await succeeds(['python3', '-m', 'venv', folder]))) return null;
  const pip = join(folder, 'bin', 'pip');
  return (await succeeds([pip, 'install', `schemathesis==${VERSION}`])) ? program : null;
}

export type FuzzRun = {
  program: string;
  url: string;
  /** Empty for somebody without any credential. */
  headers: Readonly<Record<string, string>>;
  /** Ids that a path is filled with, so that requests get past "No such resource.". */
  ids: Readonly<Record<string, string>>;
  examples: number;
  seed: number;
  only: string | undefined;
  workDir: string;
  limitSeconds: number;
};

/** Sends what it makes of the OpenAPI document; true when no answer departed from it. */
export async function fuzz(run: FuzzRun): Promise<boolean> {
  const config = join(run.workDir, 'schemathesis.toml');
  const ids = Object.entries(run.ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`);
  await Bun.write(config, ['[parameters]', ...ids, ''].join('\n'));
  const child = Bun.spawn(
    [
      run.program,
      '--config-file',
      config,
      'run',
      `${run.url}/openapi.json`,
      '--url',
      run.url,
      '--checks',
      CHECKS.join(','),
      '--phases',
      'examples,coverage,fuzzing',
      '--max-examples',
      String(run.examples),
      '--seed',
      String(run.seed),
      '--continue-on-failure',
      '--no-shrink',
      ...Object.entries(run.headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]),
      ...(run.only === undefined ? [] : ['--include-path-regex', run.only]),
    ],
    {
      cwd: run.workDir,
      stdout: 'inherit',
      stderr: 'inherit',
      timeout: run.limitSeconds * 1_000,
    },
  );
  return (await child.exited) === 0;
}
