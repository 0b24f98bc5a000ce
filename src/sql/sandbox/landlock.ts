import { address, call, mustCall, NotIsolated, textAddress } from './kernel.ts';

const EXECUTE = 1;
const READ_FILE = 4;
/** Listing a folder; the filter of system calls takes it away once modules are loaded. */
const READ_DIR = 8;
/** Number of rights to files, by version of Landlock. */
const FILE_RIGHTS = [0, 13, 14, 15, 15, 16];
const NETWORK_SINCE = 4;
const NETWORK_RIGHTS = 3;
const SCOPES_SINCE = 6;
const SCOPES = 3;
const ASK_VERSION = 1;
const BELOW_PATH = 1;
const AT_FDCWD = -100;
const O_PATH_CLOEXEC = 0o12_000_000;

export type Readable = { files: readonly string[]; programs: readonly string[] };

export function landlockVersion(): number {
  return Math.max(0, call('landlock_create_ruleset', 0, 0, ASK_VERSION));
}

function createRuleset(version: number): number {
  const bits = FILE_RIGHTS[Math.min(version, FILE_RIGHTS.length - 1)] ?? 0;
  const rights = new BigUint64Array([
    BigInt(2 ** bits - 1 - READ_DIR),
    ...(version >= NETWORK_SINCE ? [BigInt(NETWORK_RIGHTS)] : []),
    ...(version >= SCOPES_SINCE ? [BigInt(SCOPES)] : []),
  ]);
  return mustCall(
    'landlock_create_ruleset',
    address(new Uint8Array(rights.buffer)),
    rights.byteLength,
    0,
  );
}

const RULE_BYTES = 12;
const FILE_AT = 8;

function allow(ruleset: number, path: string, rights: number): void {
  const file = call('openat', AT_FDCWD, textAddress(path), O_PATH_CLOEXEC, 0);
  // Absent on this machine.
  if (file < 0) return;
  const rule = new Uint8Array(RULE_BYTES);
  const view = new DataView(rule.buffer);
  view.setBigUint64(0, BigInt(rights), true);
  view.setInt32(FILE_AT, file, true);
  mustCall('landlock_add_rule', ruleset, BELOW_PATH, address(rule), 0);
  call('close', file);
}

/** Confines this thread and programs it executes: reads these files, writes none. */
export function restrictFiles({ files, programs }: Readable): void {
  const version = landlockVersion();
  if (version === 0) throw new NotIsolated('the kernel has no Landlock');
  const ruleset = createRuleset(version);
  for (const path of files) allow(ruleset, path, READ_FILE);
  for (const path of programs) allow(ruleset, path, READ_FILE | EXECUTE);
  mustCall('landlock_restrict_self', ruleset, 0);
  call('close', ruleset);
}
