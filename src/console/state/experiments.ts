import { signal } from '@preact/signals';
import { api } from './api.ts';
import { type Question, useQuery } from './query.ts';

export type Experiment = Awaited<ReturnType<typeof api.listExperiments>>[number];
export type ExperimentReport = Awaited<ReturnType<typeof api.getExperimentReport>>;

const names = signal<ReadonlyMap<string, string>>(new Map());
export const experimentName = (id: string): string => names.value.get(id) ?? id;

export const useExperiments = (appId: string, enabled = true) =>
  useQuery(
    `experiments ${appId}`,
    async (signal) => {
      const all = await api.listExperiments({ id: appId }, { signal });
      names.value = new Map(all.map(({ id, name }) => [id, name]));
      return all;
    },
    { enabled },
  );

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

export const resultsQuestion = (appId: string): Question<Result[]> => ({
  of: appId,
  key: `results ${appId}`,
  fetch: (signal) => readResults(appId, signal),
});
