import type { StoreState } from '../../shared/app.ts';
import { withoutNul } from '../../shared/text.ts';
import type { StoreAppStatus, StoreRelease } from './port.ts';
import type { VersionWire } from './wire.ts';

const STATES: Readonly<Record<string, StoreState>> = {
  PREPARE_FOR_SUBMISSION: 'not_submitted',
  READY_FOR_REVIEW: 'not_submitted',
  DEVELOPER_REJECTED: 'not_submitted',
  WAITING_FOR_EXPORT_COMPLIANCE: 'waiting_for_review',
  WAITING_FOR_REVIEW: 'waiting_for_review',
  IN_REVIEW: 'in_review',
  ACCEPTED: 'in_review',
  REJECTED: 'rejected',
  METADATA_REJECTED: 'rejected',
  INVALID_BINARY: 'rejected',
  PENDING_DEVELOPER_RELEASE: 'pending_release',
  PENDING_APPLE_RELEASE: 'pending_release',
  PROCESSING_FOR_DISTRIBUTION: 'pending_release',
  PROCESSING_FOR_APP_STORE: 'pending_release',
  PENDING_CONTRACT: 'pending_release',
  PREORDER_READY_FOR_SALE: 'pending_release',
  READY_FOR_DISTRIBUTION: 'live',
  READY_FOR_SALE: 'live',
  DEVELOPER_REMOVED_FROM_SALE: 'removed',
  REMOVED_FROM_SALE: 'removed',
};
const REPLACED = 'REPLACED_WITH_NEW_VERSION';

type SeenVersion = { state: StoreState; version: string | null; createdAt: string };

const toState = (word: string | null | undefined): StoreState =>
  (word ? STATES[word] : undefined) ?? 'unknown';

/** Only the deprecated field has "removed". */
function toSeenVersion(version: VersionWire): SeenVersion | null {
  const { appStoreState, appVersionState, versionString, createdDate } = version.attributes ?? {};
  if (appStoreState === REPLACED || appVersionState === REPLACED) return null;
  const removed = toState(appStoreState) === 'removed';
  return {
    state: removed ? 'removed' : toState(appVersionState ?? appStoreState),
    version: versionString ? withoutNul(versionString) : null,
    createdAt: createdDate ?? '',
  };
}

const newestFirst = (a: SeenVersion, b: SeenVersion) =>
  // Compared as instants, since offsets differ.
  (Date.parse(b.createdAt) || 0) - (Date.parse(a.createdAt) || 0);

/** Removed, else live, else newest; the store's order is undefined. */
export function combineVersions(
  versions: readonly VersionWire[],
): Omit<StoreAppStatus, 'releases'> {
  if (versions.length === 0) return { state: 'not_submitted', version: null, inFlight: null };
  const current = versions.map(toSeenVersion).filter((version) => version !== null);
  current.sort(newestFirst);
  const shown =
    current.find(({ state }) => state === 'removed') ??
    current.find(({ state }) => state === 'live') ??
    current[0];
  if (!shown) return { state: 'unknown', version: null, inFlight: null };
  const next = shown.state === 'live' ? current.find(({ state }) => state !== 'live') : undefined;
  return {
    state: shown.state,
    version: shown.version,
    inFlight: next ? { state: next.state, version: next.version } : null,
  };
}

export function releasedVersions(versions: readonly VersionWire[]): StoreRelease[] {
  return versions.flatMap(({ attributes }): StoreRelease[] => {
    const { platform, versionString, createdDate } = attributes ?? {};
    const words = [attributes?.appStoreState, attributes?.appVersionState];
    const isReleased = words.some(
      (word) => word === REPLACED || ['live', 'removed'].includes(toState(word)),
    );
    const createdAt = new Date(createdDate ?? '');
    if (!isReleased || !versionString || Number.isNaN(createdAt.getTime())) return [];
    return [
      { platform: withoutNul(platform ?? ''), version: withoutNul(versionString), createdAt },
    ];
  });
}

const ICON_PIXELS = 512;

/** Null unless https on the store's image host. */
export function iconUrl(template: string | null | undefined): string | null {
  if (!template) return null;
  const filled = template
    .replaceAll('{w}', String(ICON_PIXELS))
    .replaceAll('{h}', String(ICON_PIXELS))
    .replaceAll('{c}', 'bb')
    .replaceAll('{f}', 'png');
  const url = URL.canParse(filled) ? new URL(filled) : null;
  if (url?.protocol !== 'https:' || !url.hostname.endsWith('.mzstatic.com')) return null;
  return url.href;
}
