import { parseArgs } from 'node:util';
import { createDeps } from '../../app/deps.ts';
import { type About, type Check, type Finding, runChecks } from '../../app/doctor/check.ts';
import { examine } from '../../app/doctor/examine.ts';
import { unwritable } from '../../app/doctor/host-checks.ts';
import {
  type Config,
  childEnvironment,
  givenSettings,
  loadConfig,
  loadPlace,
} from '../../config.ts';
import { findPortFault } from '../../launcher/embedded/ports.ts';
import { readSameService, runningEnvironment } from '../../launcher/running.ts';
import type { DoctorCheck } from '../../modules/system/index.ts';
import { ConfigError } from '../../shared/env.ts';
import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { looksPooled } from '../../storage/pooler.ts';
import { printableLines } from '../../shared/text.ts';
import { terminal } from '../terminal.ts';
import { askThrough } from './arrival.ts';

const HELP = `Usage: bun run doctor [--json] [--mail ADDRESS]

Checks the installation before a start or while it runs, and says what to do about each thing that is wrong.

  --mail ADDRESS  Send a test mail there
  --json          Print one JSON value

Exit codes: 0 nothing would break, 1 something would, 2 the command line is wrong.`;

const NOWHERE = { database: 'postgres://127.0.0.1:1/none', temporal: '127.0.0.1:1' };

const SETTINGS = {
  name: 'settings',
  question: 'Are the settings such as the service takes?',
  cure: 'Correct the variable (docs/configuration.md has all of them).',
};

const PORTS: Check = {
  name: 'ports',
  question: 'Are the ports free, and different?',
  cure: 'Stop the other program, or set another port.',
  find: async ({ isRunning, deps: { config } }) => {
    const ports = Object.entries({
      PORT: config.port,
      INTAKE_PORT: config.intakePort,
      METRICS_PORT: config.metricsPort,
      TEMPORAL_UI_PORT: config.temporal.uiPort,
    }).flatMap(([name, port]): [string, number][] => (port ? [[name, port]] : []));
    const twice = ports.filter(([, port], index) =>
      ports.slice(0, index).some(([, other]) => other === port),
    );
    const findings: Finding[] = twice.map(([name, port]) => ({
      found: `${name} ${port} is set twice.`,
    }));
    if (isRunning) return findings;
    const faults = ports.map(([name, port]) =>
      findPortFault(name, port, name === 'TEMPORAL_UI_PORT' ? '127.0.0.1' : config.host),
    );
    return [...findings, ...(await Promise.all(faults)).filter((fault) => fault !== null)];
  },
};

export const broken = (thrown: unknown): DoctorCheck[] =>
  (thrown instanceof ConfigError ? thrown.problems : [errorMessage(thrown)]).map((found) => ({
    ...SETTINGS,
    status: 'error',
    found,
  }));

/** Unknown counts as pooled: a server takes such a connection too, and its own error is shown. */
async function findPooler({ databaseUrl = '' }: Config) {
  const isPooled = await withTimeout(looksPooled(databaseUrl), 5 * SECOND_MS).catch(() => true);
  return isPooled ? 'transaction' : 'none';
}

async function openService() {
  const place = loadPlace();
  const service = await readSameService(place);
  const config = loadConfig(childEnvironment({ ...service?.env, ...givenSettings() }));
  const [lack] = await unwritable(config.dataDir);
  if (lack) throw new ConfigError([`DATA_DIR: ${lack.found} Give it to the service (chown).`]);
  const env = childEnvironment({
    ...(config.databaseUrl === undefined && { DATABASE_URL: NOWHERE.database }),
    ...(config.temporal.address === undefined && { TEMPORAL_ADDRESS: NOWHERE.temporal }),
    ...(await runningEnvironment(config)),
    LOG_LEVEL: 'fatal',
  });
  const whole = loadConfig(env);
  const { databasePooler = await findPooler(whole) } = whole;
  return { config, service, deps: await createDeps({ ...whole, databasePooler }, 'admin') };
}

export async function examineHere(mailTo: string | undefined): Promise<DoctorCheck[]> {
  const { config, service, deps } = await openService();
  const isRunning = service !== undefined;
  const about: Omit<About, 'arrived'> = {
    ...{ deps, isRunning, mailTo, pid: service?.pid ?? 'self' },
    servers: {
      postgres: config.databaseUrl !== undefined,
      temporal: config.temporal.address !== undefined,
    },
  };
  try {
    const ports = runChecks([PORTS], { ...about, arrived: async () => null });
    // A listener takes the port meanwhile.
    const arrived = () => ports.then(() => askThrough(config, isRunning));
    const rows = await examine({ ...about, arrived });
    const settings = { ...SETTINGS, cure: null, found: null, status: 'good' as const };
    return [settings, ...(await ports), ...rows];
  } finally {
    await deps.close();
  }
}

const SIGNS = { error: 'ERROR  ', warning: 'warning', good: 'good   ', skipped: '' };

function describe(checks: readonly DoctorCheck[]): string {
  const lines = checks.flatMap(({ name, status, found, cure }) => [
    ...(found === null ? [] : [`${SIGNS[status]}  ${name}: ${found}`]),
    ...(cure === null ? [] : [`         ${cure}`]),
  ]);
  const counts = Object.keys(SIGNS).map(
    (wanted) => `${checks.filter(({ status }) => status === wanted).length} ${wanted}`,
  );
  return [...lines, `Checks: ${counts.join(', ')} (not set up, or not running).`].join('\n');
}

const OPTIONS = {
  json: { type: 'boolean' },
  mail: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export async function doctor(args: string[]): Promise<number> {
  const parsed = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true });
  const { json, mail, help, ...others } = parsed.values;
  const isWrong = Object.keys(others).length + parsed.positionals.length > 0 || mail === true;
  if (help || isWrong) {
    terminal.out(HELP);
    return isWrong ? 2 : 0;
  }
  const mailTo = typeof mail === 'string' ? mail : undefined;
  const checks = await examineHere(mailTo).catch(broken);
  const ok = checks.every(({ status }) => status !== 'error');
  terminal.out(json ? JSON.stringify({ ok, checks }) : printableLines(describe(checks)));
  return ok ? 0 : 1;
}
