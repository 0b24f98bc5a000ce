import { existsSync } from 'node:fs';
import { $ } from 'bun';
import { SWIFT_ROOT } from '../test/support/clients/swift.ts';

// A Debian trixie with Swift 6 in a folder of the cache, for a Linux whose own release has none.
// Needs root and debootstrap; takes some 4 GB.
if (process.getuid?.() !== 0) throw new Error('Making a root file system needs root.');
if (!existsSync(`${SWIFT_ROOT}/etc/debian_version`)) {
  await $`debootstrap --variant=minbase --include=ca-certificates trixie ${SWIFT_ROOT}`;
}
const install =
  'apt-get update && apt-get install -y --no-install-recommends swiftlang swiftlang-dev git libc6-dev libstdc++-14-dev';
await $`chroot ${SWIFT_ROOT} env DEBIAN_FRONTEND=noninteractive sh -c ${install}`;
console.log(`Swift is in ${SWIFT_ROOT}; the tests find it there.`);
