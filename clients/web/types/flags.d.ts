import type { Flags, FlagsOptions } from './flags-types.ts';
export type { AskError } from './ask-types.ts';
export type { Flags, FlagStorage, FlagsOptions, FlagValue } from './flags-types.ts';
/** Reads flags by plain `fetch`, in browsers and in React Native. Never throws. */
export declare function createFlags(options: FlagsOptions): Flags;
