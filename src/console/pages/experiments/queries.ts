import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';

export type Experiment = Awaited<ReturnType<typeof api.getExperiment>>;
export type Onboarding = Awaited<ReturnType<typeof api.listOnboardings>>[number];
export type Report = Awaited<ReturnType<typeof api.getExperimentReport>>;

export const useOnboardings = (appId: string) => useApi(api.listOnboardings, { id: appId });

export const useDefaultFunnel = (appId: string) =>
  useApi(api.listFunnels, { id: appId }).value.data;

export const isOfFlags = ({ arms }: Pick<Experiment, 'arms'>): boolean =>
  arms.every(({ onboardingId }) => onboardingId === undefined);
