import type { Deps } from '../../context.ts';
import type { Arrival, DoctorCheck, Examined } from '../../modules/system/index.ts';
import { must } from '../../shared/assert.ts';
import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';

const LIMIT_MS = 20 * SECOND_MS;

export type Finding = { found: string; cure?: string; severity?: 'error' | 'warning' };

export type About = {
  deps: Pick<Deps, Examined>;
  /** False: embedded, and stopped. */
  servers: { postgres: boolean; temporal: boolean };
  isRunning: boolean;
  pid: number | 'self';
  arrived: () => Promise<Arrival | Finding | null>;
  mailTo?: string | undefined;
};

export type Check = {
  name: string;
  question: string;
  severity?: 'error' | 'warning';
  cure: string;
  after?: string;
  /** Null: not set up. */
  find: (about: About) => Promise<readonly Finding[] | string | null>;
};

const isPassed = (rows: readonly DoctorCheck[]) =>
  rows.every(({ status }) => status === 'good' || status === 'warning');

async function runCheck(
  { name, question, severity = 'error', cure, find }: Check,
  about: About,
): Promise<DoctorCheck[]> {
  const row = { name, question, found: null, cure: null };
  const answer = await withTimeout(find(about), LIMIT_MS).catch((thrown: unknown) => [
    { found: errorMessage(thrown) },
  ]);
  if (answer === null) return [{ ...row, status: 'skipped' }];
  if (typeof answer === 'string') return [{ ...row, status: 'good', found: answer }];
  if (answer.length === 0) return [{ ...row, status: 'good' }];
  return answer.map((one: Finding) => ({
    ...row,
    status: one.severity ?? severity,
    found: one.found,
    cure: one.cure ?? cure,
  }));
}

export async function runChecks(checks: readonly Check[], about: About): Promise<DoctorCheck[]> {
  const running = new Map<string, Promise<DoctorCheck[]>>();
  for (const check of checks) {
    const { name, question, after } = check;
    const before =
      after === undefined ? [] : must(running.get(after), 'a check comes after an earlier one');
    const run = async (): Promise<DoctorCheck[]> =>
      isPassed(await before)
        ? runCheck(check, about)
        : [{ name, question, status: 'skipped', found: null, cure: null }];
    running.set(name, run());
  }
  return (await Promise.all(running.values())).flat();
}
