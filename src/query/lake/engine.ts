/** Runs one statement on an engine that reads the lake, within its limits, until `signal`. */
export type LakeEngine = {
  run: (statement: string, signal: AbortSignal) => Promise<unknown[][]>;
  /** Resolves when it answers at all. */
  ping: (signal: AbortSignal) => Promise<void>;
};

/** One question's use of the engine. */
export type RunStatement = (statement: string) => Promise<unknown[][]>;
