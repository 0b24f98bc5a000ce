/**
 * Immutable files under keys such as `events/2026/07/fil_….parquet`: a local folder or S3.
 * A key is written once; every method throws when the storage is unreachable.
 */
export type ObjectStore = {
  /** A path on this host for a file to be passed to `adopt`; its folder exists. */
  scratchPath: (name: string) => string;
  /** Moves a finished local file under `key`; durable when it returns. */
  adopt: (scratchPath: string, key: string) => Promise<void>;
  putBytes: (key: string, bytes: Uint8Array) => Promise<void>;
  /** The content, or null when there is no such object. */
  getBytes: (key: string) => Promise<Uint8Array | null>;
  /** A path on this host to read the object at; downloads it unless it is cached. */
  localPath: (key: string) => Promise<string>;
  /** Idempotent. */
  remove: (key: string) => Promise<void>;
  list: (prefix: string) => Promise<ObjectInfo[]>;
  /** True when objects outlive this host, so that its log is worth shipping. */
  isRemote: boolean;
  /** Evicts the least recently used local copies beyond the size of the cache, and what crashes left. */
  trim: (nowMs: number) => Promise<number>;
};

export type ObjectInfo = { key: string; bytes: number; modifiedAt: Date };

const KEY = /^[a-zA-Z0-9_][a-zA-Z0-9_.=-]*(\/[a-zA-Z0-9][a-zA-Z0-9_.=-]*)*$/;

/** Keys become paths and URLs: no parent folders, no characters that need escaping. */
export function assertKey(key: string): void {
  if (key.length > 512 || !KEY.test(key)) throw new Error(`"${key}" is not an object key.`);
}
