import { MODES } from '../test/release-fixture/facts.ts';
import { makeFixture } from '../test/release-fixture/make.ts';
import { withReleaseTree } from '../test/release-fixture/tree.ts';

/** `bun scripts/fixture.ts COMMIT [MODE…]`: runs that commit's code and keeps what it leaves. */
const [commit, ...wanted] = process.argv.slice(2);
if (!commit) throw new Error('Say which commit: bun scripts/fixture.ts COMMIT [plain|encrypted]');
await withReleaseTree(commit, async (tree) => {
  for (const mode of MODES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    await makeFixture(tree, commit, mode);
  }
});
