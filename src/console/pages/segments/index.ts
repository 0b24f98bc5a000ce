export { SegmentPage } from './segment.tsx';
export { Segments } from './segments.tsx';
