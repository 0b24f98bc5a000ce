export { PeopleBehind } from '../questions/behind.tsx';
export { LifecycleAnswer, PathsAnswer } from './other-answers.tsx';
export { RetentionAnswer } from './retention-answer.tsx';
