import type { KeyIndex, KeyRunInfo } from '../dedup/key-index.ts';
import type { Resolved } from '../event/resolve.ts';
import type { ImportedRows } from '../imports/imported-rows.ts';
import type { ImportRepeat } from '../imports/queries.ts';

type Facts = { resolved: Resolved; imported: ImportedRows; runs: readonly KeyRunInfo[] };

export async function findImportRepeats(
  keys: KeyIndex,
  { resolved: { rows, duplicates }, imported, runs }: Facts,
): Promise<ImportRepeat[]> {
  if (duplicates.length === 0) return [];
  const repeats: ImportRepeat[] = [];
  const note = (importId: string, stored: ReadonlySet<string | null>) => {
    for (const row of duplicates) {
      const { orgId, appId, key } = row;
      const by = imported.importOf(row) ?? '';
      if (key === null || by === importId || !stored.has(key)) continue;
      repeats.push({ orgId, appId, importId, key, by });
    }
  };
  for (const [importId, ofImport] of Map.groupBy(rows, imported.importOf)) {
    if (importId !== undefined) note(importId, new Set(ofImport.map(({ key }) => key)));
  }
  for (const [importId, ofImport] of Map.groupBy(runs, (run) => run.importId)) {
    if (importId !== null) note(importId, await keys.known(duplicates, ofImport));
  }
  return repeats;
}
