import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './sources.ts';
import { keepSaid, readText } from './streams.ts';
import { beginWait } from './waits.ts';
import { until } from './until.ts';

/** One `bun run start`, as an operator runs it. */
export type Instance = {
  dataDir: string;
  url: string;
  pid: number;
  exited: Promise<number>;
  /** The pid of each child, by name; from the record that the supervisor keeps. */
  children: () => Record<string, number>;
  /** Of the same name there may be two lives: the one that ended is still listed. */
  killChild: (name: string) => Promise<void>;
  errors: () => string;
  /** What it logged. */
  log: () => string;
  kill: (signal: NodeJS.Signals) => void;
  /** Ctrl-C; settles with the exit code. */
  stop: () => Promise<number>;
};

export type InstanceOptions = {
  dataDir?: string;
  env?: Record<string, string>;
  account?: { uid: number; gid: number };
  /** Of another release's code; this one's when left out. */
  root?: string;
};

export const newDataDir = () => join(mkdtempSync(join(tmpdir(), 'sv-')), 'data');

/** Settings of whoever runs the tests have no say. */
const INHERITED = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TMPDIR', 'TEMPORAL_CLI_PATH'];

export function startEnvironment(
  dataDir: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  });
  const own = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', DISK_FLOOR_MB: '0' };
  return { ...Object.fromEntries(inherited), ...own, ...extra };
}

export function spawnStart(options: InstanceOptions = {}) {
  const dataDir = options.dataDir ?? newDataDir();
  const root = options.root ?? ROOT;
  const child = Bun.spawn([process.execPath, join(root, 'scripts/start.ts')], {
    cwd: root,
    env: startEnvironment(dataDir, options.env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...options.account,
  });
  return { dataDir, child };
}

/** Runs a start that is expected to be refused; returns its exit code and its message. */
export async function refusedStart(options: InstanceOptions) {
  const { child } = spawnStart(options);
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { code, errors };
}

function readChildren(dataDir: string, pid: number): Record<string, number> {
  const text = readFileSync(join(dataDir, 'children', `${hostname()}-${pid}.json`), 'utf8');
  const { children }: { children: { name: string; pid: number }[] } = JSON.parse(text);
  return Object.fromEntries(children.map((child) => [child.name, child.pid]));
}

async function killChild(children: Instance['children'], name: string): Promise<void> {
  await until(`${name} can be killed`, () => {
    const found = Object.entries(children()).find(([child]) => child.startsWith(name));
    try {
      return found !== undefined && process.kill(found[1], 'SIGKILL');
    } catch {
      return false;
    }
  });
}

/** Starts the service and waits until it says that it is ready. */
export async function startInstance(options: InstanceOptions = {}): Promise<Instance> {
  const { dataDir, child } = spawnStart(options);
  const endWait = beginWait('service start');
  const ready = Promise.withResolvers<string>();
  let errors = '';
  let log = '';
  void readText(child.stdout, (text) => {
    log += text;
    keepSaid(`start ${child.pid}`, text);
  });
  void readText(child.stderr, (text) => {
    errors += text;
    keepSaid(`start ${child.pid}`, text);
    if (!errors.includes('To stop')) return;
    ready.resolve(/API\s+(http:\S+)\s/.exec(errors)?.[1] ?? 'this instance serves no API');
  });
  void child.exited.then((code) =>
    ready.reject(new Error(`It ended (${code}):\n${errors}\n${log}`)),
  );
  const url = await ready.promise.finally(endWait);
  return {
    dataDir,
    url,
    pid: child.pid,
    exited: child.exited,
    children: () => readChildren(dataDir, child.pid),
    killChild: (name) => killChild(() => readChildren(dataDir, child.pid), name),
    errors: () => errors,
    log: () => log,
    kill: (signal) => child.kill(signal),
    stop: async () => {
      child.kill('SIGINT');
      return child.exited;
    },
  };
}

export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

function readProc(pid: number, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** Its words, each followed by a zero byte; empty when the process has ended. Linux only. */
export const commandOf = (pid: number) => readProc(pid, 'cmdline');

function standsIn(pid: number, dir: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(dir);
  } catch {
    return false;
  }
}

export function environmentOf(pid: number): Record<string, string> {
  const entries = readProc(pid, 'environ').split('\0').filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

/** The processes of the machine. Linux only. */
export const allProcesses = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);

/** The processes that stand in the data folder or were started for it, but for those known. */
export function processesOf(dataDir: string, known: ReadonlySet<number> = new Set()): number[] {
  return allProcesses()
    .filter((pid) => !known.has(pid))
    .filter(
      (pid) =>
        standsIn(pid, dataDir) ||
        commandOf(pid).includes(dataDir) ||
        readProc(pid, 'environ').includes(dataDir),
    );
}

/** The answer's JSON; throws for any but 200. */
export async function callInstance(
  instance: Pick<Instance, 'url'> | undefined,
  path: string,
  { method, body, headers }: { method: string; body: unknown; headers: Record<string, string> },
): Promise<any> {
  const answer = await fetch(`${instance?.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
