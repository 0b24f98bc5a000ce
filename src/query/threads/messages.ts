import type { ProjectionOrigin } from '../../event-store/projections.ts';
import type { EnvironmentScope } from '../../shared/environment.ts';
import type { FileFacts } from '../file-facts.ts';
import type { Counted } from '../projection/share.ts';
import type { StitchedIndex } from '../projection/stitched-keys.ts';
import type { CountingTask } from './counters.ts';

/** A share of a question, as a thread can be told. */
export type HelpRequest = {
  task: CountingTask;
  parts: { origin: ProjectionOrigin; file: FileFacts | null }[];
  environment: EnvironmentScope;
  stitched: StitchedIndex;
  ranges: number;
  /** Of `Turns`; the memory is that of every thread of the question. */
  turns: Int32Array<SharedArrayBuffer>;
};

/** `null`: a file is gone from this host, so that whoever has it mapped counts. */
export type HelpReply = 'ready' | { counted: Counted | null } | { failed: string };
