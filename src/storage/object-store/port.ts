/** Unfinished files; moves are renames. */
export const SCRATCH = '.scratch';

/**
 * Such as `events/2026/07/fil_….parquet`, written once. All methods throw when the store is
 * unreachable.
 */
export type ObjectStore = {
  scratchPath: (name: string) => string;
  /** Moves a finished local file under `key`, durably. */
  adopt: (scratchPath: string, key: string) => Promise<void>;
  putBytes: (key: string, bytes: Uint8Array) => Promise<void>;
  getBytes: (key: string) => Promise<Uint8Array | null>;
  /** Downloads unless cached. */
  localPath: (key: string, check?: Check) => Promise<string>;
  /** Idempotent. */
  remove: (key: string) => Promise<void>;
  list: (prefix: string) => Promise<ObjectInfo[]>;
  /** Its log is worth shipping then. */
  isRemote: boolean;
  /** Evicts copies above the cache size, and crash leftovers. */
  trim: (nowMs: number) => Promise<number>;
};

/** Against checksums; all bytes by default. */
export type Check = {
  part?: { from: number; to: number } | undefined;
  /** `used`: possibly read already. */
  when?: 'first' | 'used' | 'anew' | 'never';
};

export type ObjectInfo = { key: string; bytes: number; modifiedAt: Date };

const KEY = /^[a-zA-Z0-9_][a-zA-Z0-9_.=-]*(\/[a-zA-Z0-9][a-zA-Z0-9_.=-]*)*$/;

/** No parent folders, no characters to escape. */
export function assertKey(key: string): void {
  if (key.length > 512 || !KEY.test(key)) throw new Error(`"${key}" is not an object key.`);
}
