import { api } from './api.ts';
import { type Question, useQuery } from './query.ts';

export type Experiment = Awaited<ReturnType<typeof api.listExperiments>>[number];
export type ExperimentReport = Awaited<ReturnType<typeof api.getExperimentReport>>;

/** The experiments of an app, without their results. */
export const useExperiments = (appId: string, enabled = true) =>
  useQuery(`experiments ${appId}`, (signal) => api.listExperiments({ id: appId }, { signal }), {
    enabled,
  });

/** An experiment with what came of it so far. */
export type Result = { experiment: Experiment; report: ExperimentReport };

async function readResults(appId: string, signal: AbortSignal): Promise<Result[]> {
  const experiments = await api.listExperiments({ id: appId }, { signal });
  const running = experiments.filter(({ status }) => status === 'running');
  return Promise.all(
    running.map(async (experiment) => ({
      experiment,
      report: await api.getExperimentReport({ id: appId, experimentId: experiment.id }, { signal }),
    })),
  );
}

/** The results of the experiments that run, the newest first. */
export const resultsQuestion = (appId: string): Question<Result[]> => ({
  of: appId,
  key: `results ${appId}`,
  fetch: (signal) => readResults(appId, signal),
});
