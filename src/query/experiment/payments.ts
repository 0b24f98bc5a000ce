import type { DuckDBConnection } from '@duckdb/node-api';
import { ARMS_TABLE } from '../funnel/arm-rule.ts';
import type { Payment } from './model.ts';

const PAYMENTS_TABLE = 'experiment_payments';
const PAID_TABLE = 'experiment_paid';

export type ArmPayments = {
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
export async function paymentsByArm(
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
