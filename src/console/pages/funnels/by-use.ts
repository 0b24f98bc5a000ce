export { Below } from './below.tsx';
export { ComparedSteps } from './comparison.tsx';
export { FunnelEditor } from './editor.tsx';
export { TooFew } from './too-few.tsx';
export { Times } from './times.tsx';
