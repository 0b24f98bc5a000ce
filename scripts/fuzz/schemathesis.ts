import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '4.32.5';
const INSTALL_LIMIT_MS = 5 * 60_000;
/** Its other checks ask for more than the document promises: what exactly is refused, and to whom. */
const CHECKS_LEFT_OUT = [
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
  'object_level_authorization',
];

/**
 * A provider that is not configured or does not answer is a 502 or 503 of its own code; internal
 * paths do not say which methods they have.
 */
const SETTINGS = [
  '[checks.not_a_server_error]',
  'expected-statuses = ["2xx", "3xx", "4xx", 502, 503]',
  '[[operations]]',
  'include-path-regex = "^/internal/"',
  'checks.unsupported_method.enabled = false',
  ...CHECKS_LEFT_OUT.flatMap((name) => [`[checks.${name}]`, 'enabled = false']),
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
  /** Paths that are not asked. */
  leftOut: string | undefined;
  workDir: string;
  limitSeconds: number;
};

/** Sends what it makes of the OpenAPI document; true when no answer departed from it. */
export async function fuzz(run: FuzzRun): Promise<boolean> {
  const config = join(run.workDir, 'schemathesis.toml');
  const ids = Object.entries(run.ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`);
  await Bun.write(config, [...SETTINGS, '[parameters]', ...ids, ''].join('\n'));
  const child = Bun.spawn(
    [
      run.program,
      '--config-file',
      config,
      'run',
      `${run.url}/openapi.json`,
      '--url',
      run.url,
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
      ...(run.leftOut === undefined ? [] : ['--exclude-path-regex', run.leftOut]),
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
