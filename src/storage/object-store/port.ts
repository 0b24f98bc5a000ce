/**
 * Immutable files under keys such as `events/2026/07/fil_….parquet`: a local folder or S3.
 * A key is written once; every method may throw when the storage is away.
 */
export type ObjectStore = {
  /** A path on this host for a file that is then handed to `adopt`; its folder exists. */
  scratchPath: (name: string) => string;
  /** Moves a finished local file under `key`; durable when it returns. */
  adopt: (scratchPath: string, key: string) => Promise<void>;
  putBytes: (key: string, bytes: Uint8Array) => Promise<void>;
  /** The content, or null when there is no such object. */
  getBytes: (key: string) => Promise<Uint8Array | null>;
  /** A path on this host to read the object at, fetched first where it is not here. */
  localPath: (key: string) => Promise<string>;
  /** Removing what is not there is fine. */
  remove: (key: string) => Promise<void>;
  list: (prefix: string) => Promise<ObjectInfo[]>;
  /** True when objects outlive this host: what is only on its disk is then worth shipping. */
  isRemote: boolean;
  /** Drops local copies beyond the size of the cache, those unused for longest first. */
  trim: (nowMs: number) => Promise<number>;
};

export type ObjectInfo = { key: string; bytes: number; modifiedAt: Date };

const KEY = /^[a-zA-Z0-9_][a-zA-Z0-9_.=-]*(\/[a-zA-Z0-9][a-zA-Z0-9_.=-]*)*$/;

/** Keys become paths and URLs: nothing that climbs out of the folder or needs escaping. */
export function assertKey(key: string): void {
  if (key.length > 512 || !KEY.test(key)) throw new Error(`"${key}" is not an object key.`);
}
