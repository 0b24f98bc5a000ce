import type { DuckDBConnection } from '@duckdb/node-api';
import { ARMS_TABLE } from '../funnel/arm-rule.ts';
import { keepExposedBefore, loadArms, peopleWhoDid } from '../funnel/arms.ts';
import { countFunnel } from '../funnel/count.ts';
import type { QueryRun } from '../reading/run.ts';
import type { ExperimentAnswer, ExperimentQuestion, Measured, Payment } from './model.ts';

const PAYMENTS_TABLE = 'experiment_payments';
const PAID_TABLE = 'experiment_paid';

type ArmPayments = {
  trials: number;
  payers: number;
  sum: number;
  squares: number;
  capped: number;
};

async function loadPayments(
  connection: DuckDBConnection,
  payments: readonly Payment[],
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${PAYMENTS_TABLE}
    (person VARCHAR, paid_at BIGINT, amount DOUBLE, is_trial BOOLEAN)`);
  const appender = await connection.createAppender(PAYMENTS_TABLE, 'main', 'temp');
  for (const { person, atUs, amount, isTrial } of payments) {
    appender.appendVarchar(person);
    appender.appendBigInt(BigInt(atUs));
    appender.appendDouble(amount);
    appender.appendBoolean(isTrial);
    appender.endRow();
  }
  appender.closeSync();
}

/** Capped at a percentile of payers: of everybody it would be the cheap plan's price. */
async function paymentsByArm(
  connection: DuckDBConnection,
  { payments, capPercentile }: { payments: readonly Payment[]; capPercentile: number },
  horizonUs: number,
): Promise<{ arms: Map<string, ArmPayments>; cap: number | null }> {
  if (payments.length === 0) return { arms: new Map(), cap: null };
  await loadPayments(connection, payments);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${PAID_TABLE} AS
    SELECT a.person, a.arm, coalesce(sum(p.amount), 0) AS amount,
      coalesce(bool_or(p.is_trial), false) AS has_trial
    FROM ${ARMS_TABLE} a
    LEFT JOIN ${PAYMENTS_TABLE} p
      ON p.person = a.person AND p.paid_at > a.exposed.at AND p.paid_at <= a.exposed.at + ${horizonUs}
    WHERE a.seen = 1 GROUP BY a.person, a.arm`);
  const result = await connection.run(`
    WITH cap AS (SELECT quantile_disc(amount, ${(capPercentile / 100).toFixed(4)}) FILTER (WHERE amount > 0) AS most
      FROM ${PAID_TABLE})
    SELECT arm, any_value(most), count(*) FILTER (WHERE has_trial),
      count(*) FILTER (WHERE amount > 0), count(*) FILTER (WHERE amount > most), coalesce(sum(least(amount, most)), 0), coalesce(sum(least(amount, most) ** 2), 0)
    FROM ${PAID_TABLE}, cap GROUP BY arm`);
  let cap: number | null = null;
  const arms = new Map<string, ArmPayments>();
  for (const [arm, most, trials, payers, capped, sum, squares] of await result.getRows()) {
    cap = most === null ? null : Number(most);
    arms.set(String(arm), {
      trials: Number(trials),
      payers: Number(payers),
      capped: Number(capped),
      sum: Number(sum),
      squares: Number(squares),
    });
  }
  return { arms, cap };
}

const NOTHING_PAID = { trials: 0, payers: 0, sum: 0, squares: 0, capped: 0 };

async function countByArm(
  run: QueryRun,
  { experimentId, exposedFromUs, measure: _, ...rules }: ExperimentQuestion,
  horizonUs?: number,
) {
  const breakdown = { kind: 'arm' as const, experimentId, exposedFromUs, exposedOnly: true };
  const counted = await countFunnel(run, {
    ...rules,
    breakdown: { ...breakdown, ...(horizonUs !== undefined && { horizonUs }) },
    trendFromUs: null,
  });
  return new Map(counted.breakdown?.map(({ value, tally }) => [value, tally]));
}

async function measureArms(
  run: QueryRun,
  question: ExperimentQuestion,
  { horizonUs, events, ...paying }: NonNullable<ExperimentQuestion['measure']>,
): Promise<Measured> {
  const { connection, source } = run;
  const exposedBeforeUs = Math.floor(source.dataThroughMs * 1_000) - horizonUs;
  const people = await keepExposedBefore(connection, exposedBeforeUs);
  const tallies = await countByArm(run, question, horizonUs);
  const did: Map<string, number>[] = [];
  for (const event of events) did.push(await peopleWhoDid(run, event, horizonUs));
  const paid = await paymentsByArm(connection, paying, horizonUs);
  return {
    exposedBeforeUs,
    cap: paid.cap,
    arms: [...people].map(([armId, count]) => {
      const { trials, ...revenue } = paid.arms.get(armId) ?? NOTHING_PAID;
      return {
        armId,
        people: count,
        converted: tallies.get(armId)?.people.at(-1) ?? 0,
        events: did.map((counts) => counts.get(armId) ?? 0),
        trials,
        revenue,
      };
    }),
  };
}

export async function compareArms(
  run: QueryRun,
  question: ExperimentQuestion,
): Promise<ExperimentAnswer> {
  const { measure, startBeforeUs } = question;
  const { people, mixed, overridden } = await loadArms(run, question, startBeforeUs);
  const tallies = await countByArm(run, question);
  return {
    dataThroughMs: run.source.dataThroughMs,
    mixedPeople: mixed,
    overriddenPeople: overridden,
    arms: [...people].map(([armId, count]) => ({
      armId,
      people: count,
      funnel: tallies.get(armId) ?? null,
    })),
    ...(measure && { measured: await measureArms(run, question, measure) }),
  };
}
