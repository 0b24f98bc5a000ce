/** In one chunk: most people ask for trends, and a click opens people. */
export { PeopleBehind } from './behind.tsx';
export { FunnelAnswer } from './funnel-answer.tsx';
export { LifecycleAnswer, PathsAnswer } from './other-answers.tsx';
export { RetentionAnswer } from './retention-answer.tsx';
