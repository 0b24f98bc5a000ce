export { ExperimentPage } from './experiment.tsx';
export { Experiments } from './experiments.tsx';
