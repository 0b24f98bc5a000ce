import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { bootstrapClient } from './crash-client.ts';
import { isHealthy, startInstance } from './instance.ts';
import { CACHE, findPython, succeeds } from './lake/tools.ts';
import { until } from './until.ts';

/** Packages for Python, each list in an environment of its own, and what imports them. */
const PYTHONS = {
  'compat-python': {
    packages: [
      'amplitude-analytics==1.3.0',
      'posthog==7.91.1',
      'segment-analytics-python==2.4.0',
      'rudder-sdk-python==2.1.9',
      'opentelemetry-sdk==1.45.2',
      'opentelemetry-exporter-otlp-proto-http==1.45.2',
    ],
    imports:
      'amplitude, posthog, segment.analytics, rudderstack.analytics, opentelemetry.exporter.otlp.proto.http._log_exporter',
  },
  'compat-python-old': { packages: ['posthog==3.25.0'], imports: 'posthog' },
  'compat-mcp-python': { packages: ['mcp==2.3.0'], imports: 'mcp' },
} as const;
export type PythonName = keyof typeof PYTHONS;

/** The program of each, or null after saying that it is missing. */
export async function findCompatPython(name: PythonName): Promise<string | null> {
  const { packages, imports } = PYTHONS[name];
  const python = await findPython(name, packages, imports);
  if (python === null) console.log(`not run: ${packages.join(', ')} (needs python3, and PyPI).`);
  return python;
}

const COMPAT = join(import.meta.dir, '../compat');
const BUILDS = {
  go: ['go', 'build', '-o'],
  collector: ['go', 'build', '-o'],
  rust: ['cargo', 'install', '--quiet', '--debug', '--locked', '--path', '.'],
} as const;

/** The folder of programs that are built from a folder of sources, kept for the same ones; null without. */
export async function findBuilt(name: keyof typeof BUILDS): Promise<string | null> {
  const sources = join(COMPAT, name);
  const files = [...new Bun.Glob('**/*').scanSync(sources)].toSorted();
  const texts = await Promise.all(files.map((file) => Bun.file(join(sources, file)).text()));
  const folder = join(CACHE, `compat-${name}-${Bun.hash(texts.join('\n')).toString(36)}`);
  const bin = join(folder, 'bin');
  if (existsSync(bin)) return bin;
  const [tool, ...words] = BUILDS[name];
  const work = mkdtempSync(join(tmpdir(), 'built-'));
  const made = join(work, 'bin');
  mkdirSync(made);
  const rest =
    tool === 'go' ? [`${made}/`, './...'] : ['--root', work, '--target-dir', join(work, 'target')];
  const command = [tool, ...words, ...rest];
  const isBuilt = await succeeds(command, sources);
  // A half of it is never found under the final name.
  if (isBuilt) cpSync(made, bin, { recursive: true });
  else console.log(`not run: clients of ${name} (needs ${tool}, and its registry).`);
  rmSync(work, { recursive: true, force: true });
  return isBuilt ? bin : null;
}

/** A service with its intake, which is killed as clients go on. */
export async function startCompat(organization: string) {
  const port = await freePort();
  const intake = `http://127.0.0.1:${port}`;
  const instance = await startInstance({
    env: { INTAKE_PORT: String(port), RATE_LIMIT_SCALE: '1000' },
  });
  const client = bootstrapClient(instance, organization);

  const json = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await client.call(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };

  const killApi = async (): Promise<void> => {
    const { api } = instance.children();
    process.kill(api ?? 0, 'SIGKILL');
    await until('another API', () => ![undefined, api].includes(instance.children().api));
    await until('the API is healthy', () => isHealthy(instance.url));
  };

  /** Kills it as often as said while a program prints how many of `steps` it has done. */
  const killWhile = async (
    words: string[],
    { kills: most, steps }: { kills: number; steps: number },
  ) => {
    const sender = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' });
    let kills = 0;
    let last = Promise.resolve();
    for await (const chunk of sender.stdout) {
      const sent = Number(new TextDecoder().decode(chunk).trim().split('\n').at(-1));
      if (kills < most && sent > (kills * steps) / most) {
        kills += 1;
        last = last.then(killApi);
      }
    }
    const exitCode = await sender.exited;
    await last;
    return { exitCode, kills };
  };

  return {
    intake,
    url: instance.url,
    apiKey: client.apiKey,
    json,
    killApi,
    killWhile,
    stop: () => instance.stop(),
  };
}
export type Compat = Awaited<ReturnType<typeof startCompat>>;
