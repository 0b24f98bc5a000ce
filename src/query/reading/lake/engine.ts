export type LakeEngine = {
  run: (statement: string, signal: AbortSignal) => Promise<unknown[][]>;
  ping: (signal: AbortSignal) => Promise<void>;
};
