import { describe, expect, test } from 'bun:test';
import { releasedVersions } from '../../../src/providers/store/map.ts';
import { releasedSince } from '../../../src/modules/sales/collection/releases.ts';

const NOW = new Date('2026-07-15T18:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const made = (version: string, hours: number) => ({
  platform: 'IOS',
  version,
  createdAt: hoursAgo(hours),
});
const known = (version: string) => ({
  platform: 'IOS',
  version,
  onSaleFrom: hoursAgo(900),
  isSeen: false,
});
const seen = { state: 'live', checkedAt: hoursAgo(24) } as const;

describe('when a version went on sale', () => {
  test('is now, where it was not on sale at the last look', () => {
    expect(releasedSince([made('1.0', 900), made('1.1', 80)], [known('1.0')], seen, NOW)).toEqual([
      { platform: 'IOS', version: '1.1', onSaleFrom: NOW, isSeen: true },
    ]);
  });

  test('of the first version, where the app was in review before', () => {
    const before = { state: 'in_review', checkedAt: hoursAgo(1) } as const;
    expect(releasedSince([made('1.0', 90)], [], before, NOW)).toMatchObject([{ isSeen: true }]);
  });

  test.each([
    ['at the first look', [], { state: null, checkedAt: null }],
    ['at the first look of this release', [], seen],
    ['after days without a look', [known('1.0')], { state: 'live', checkedAt: hoursAgo(72) }],
  ] as const)('is when it was made, as what is known, %s', (_, before, status) => {
    expect(releasedSince([made('1.1', 80)], before, status, NOW)).toEqual([
      { platform: 'IOS', version: '1.1', onSaleFrom: hoursAgo(80), isSeen: false },
    ]);
  });
});

test('versions that were replaced or taken off sale were on sale; others were not', () => {
  const version = (versionString: string, appStoreState: string, appVersionState?: string) => ({
    attributes: {
      ...{ platform: 'IOS', versionString, appStoreState },
      ...(appVersionState && { appVersionState }),
      createdDate: '2026-02-01T10:00:00-08:00',
    },
  });
  const released = releasedVersions([
    version('1.0', 'REPLACED_WITH_NEW_VERSION'),
    version('1.1', 'READY_FOR_SALE', 'READY_FOR_DISTRIBUTION'),
    version('1.2', 'DEVELOPER_REMOVED_FROM_SALE', 'READY_FOR_DISTRIBUTION'),
    version('1.3', 'IN_REVIEW', 'IN_REVIEW'),
    version('1.4', 'REJECTED'),
    { attributes: { versionString: '1.5', appStoreState: 'READY_FOR_SALE', createdDate: 'soon' } },
  ]);
  expect(released.map((one) => one.version)).toEqual(['1.0', '1.1', '1.2']);
  expect(released[0]?.createdAt.toISOString()).toBe('2026-02-01T18:00:00.000Z');
});
