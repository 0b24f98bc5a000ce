import { HOUR_MS } from '../shared/time.ts';
import type { Manifest, PartitionValue } from './format/types.ts';

const MOST_FILES = 1_000;
const FEW_FILES = 500;
/** Small manifests allowed per partition spec. */
const FEW_MANIFESTS = 8;

export const liveFiles = (manifest: Manifest) => manifest.added.files + manifest.existing.files;

export type ManifestPlan = {
  kept: Manifest[];
  rewritten: Manifest[];
};

/** Their number follows that of files, not of snapshots. */
export function planManifests(
  manifests: readonly Manifest[],
  change: { touched: ReadonlySet<string>; addedTo: ReadonlySet<number> },
): ManifestPlan {
  const plan: ManifestPlan = { kept: [], rewritten: [] };
  const bySpec = Map.groupBy(manifests, ({ specId }) => specId);
  for (const [specId, ofSpec] of bySpec) {
    const live = ofSpec.filter((manifest) => liveFiles(manifest) > 0);
    const touched = live.filter(({ path }) => change.touched.has(path));
    const others = live.filter(({ path }) => !change.touched.has(path));
    const small = others.filter((manifest) => liveFiles(manifest) < FEW_FILES);
    const isWritten = touched.length > 0 || change.addedTo.has(specId);
    const merged = isWritten && small.length >= FEW_MANIFESTS ? new Set(small) : new Set();
    plan.rewritten.push(...touched, ...others.filter((manifest) => merged.has(manifest)));
    plan.kept.push(...others.filter((manifest) => !merged.has(manifest)));
  }
  return plan;
}

function compare(a: readonly PartitionValue[], b: readonly PartitionValue[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index];
    if (other === undefined || value === other) continue;
    return value < other ? -1 : 1;
  }
  return 0;
}

type PlacedFile = { file: { specId: number; partition: readonly PartitionValue[]; path: string } };

export function divideEntries<T extends PlacedFile>(entries: readonly T[]): T[][] {
  const manifests: T[][] = [];
  for (const ofSpec of Map.groupBy(entries, ({ file }) => file.specId).values()) {
    const sorted = ofSpec.toSorted(
      (a, b) => compare(a.file.partition, b.file.partition) || (a.file.path < b.file.path ? -1 : 1),
    );
    for (let offset = 0; offset < sorted.length; offset += MOST_FILES) {
      manifests.push(sorted.slice(offset, offset + MOST_FILES));
    }
  }
  return manifests;
}

const NEWEST = 60;

export function listedSnapshots<T extends { timestampMs: number }>(snapshots: readonly T[]): T[] {
  const newest = snapshots.slice(-NEWEST);
  const earlier = snapshots.slice(0, -NEWEST);
  const hourly = new Map(earlier.map((each) => [Math.floor(each.timestampMs / HOUR_MS), each]));
  return [...hourly.values(), ...newest];
}
