import { keepExposedBefore, loadArms, peopleWhoDid } from '../funnel/arms.ts';
import { countFunnel } from '../funnel/count.ts';
import type { QueryRun } from '../reading/run.ts';
import type { ExperimentAnswer, ExperimentQuestion, Measured } from './model.ts';
import { paymentsByArm } from './payments.ts';

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
