import { api } from './api.ts';
import { type Question, useQuery } from './query.ts';

export type Experiment = Awaited<ReturnType<typeof api.listExperiments>>[number];
export type ExperimentReport = Awaited<ReturnType<typeof api.getExperimentReport>>;

/** The experiments of an app, without their results. */
export const experimentsQuestion = (appId: string): Question<Experiment[]> => ({
  of: appId,
  key: `experiments ${appId}`,
  fetch: (signal) => api.listExperiments({ id: appId }, { signal }),
});

export function useExperiments(appId: string, enabled = true) {
  const { key, fetch } = experimentsQuestion(appId);
  return useQuery(key, fetch, { enabled });
}

/** An experiment with what came of it so far. */
export type Result = { experiment: Experiment; report: ExperimentReport };

/** The results of the experiments that run, the newest first. */
export const resultsQuestion = (
  appId: string,
  experiments: readonly Experiment[],
): Question<Result[]> => {
  const running = experiments.filter(({ status }) => status === 'running');
  return {
    of: appId,
    key: `results ${appId} ${running.map(({ id }) => id).join(' ')}`,
    fetch: (signal) =>
      Promise.all(
        running.map(async (experiment) => ({
          experiment,
          report: await api.getExperimentReport(
            { id: appId, experimentId: experiment.id },
            { signal },
          ),
        })),
      ),
  };
};
