import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';

export type Experiment = Awaited<ReturnType<typeof api.getExperiment>>;
export type Onboarding = Awaited<ReturnType<typeof api.listOnboardings>>[number];
export type Report = Awaited<ReturnType<typeof api.getExperimentReport>>;

export const useOnboardings = (appId: string) =>
  useQuery(`onboardings ${appId}`, (signal) => api.listOnboardings({ id: appId }, { signal }));

export const useDefaultFunnel = (appId: string) =>
  useQuery(`funnels ${appId}`, (signal) => api.listFunnels({ id: appId }, { signal })).value.data;

export const isOfFlags = ({ arms }: Pick<Experiment, 'arms'>): boolean =>
  arms.every(({ onboardingId }) => onboardingId === undefined);
