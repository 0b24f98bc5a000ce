export { countProxies, PROBE_HEADERS, toArrival } from './arrival.ts';
export { isClockOff } from './clock.ts';
export { type Examined, probeDependencies } from './get-status.ts';
export {
  type Arrival,
  type Dependency,
  type DoctorCheck,
  DoctorReport,
  SERVICE_NAME,
} from './model.ts';
export { type Readiness, watchReadiness } from './readiness.ts';
export { noteLacks, WorkNotes } from './work.ts';
