import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { combineVersions, iconUrl } from '../../../src/providers/store/map.ts';
import { STORE_STATES } from '../../../src/shared/app.ts';

type Attributes = Record<string, string>;
const versions = (...all: Attributes[]) =>
  combineVersions(all.map((attributes) => ({ attributes })));

describe('one version', () => {
  test.each([
    ['PREPARE_FOR_SUBMISSION', 'not_submitted'],
    ['READY_FOR_REVIEW', 'not_submitted'],
    ['DEVELOPER_REJECTED', 'not_submitted'],
    ['WAITING_FOR_EXPORT_COMPLIANCE', 'waiting_for_review'],
    ['WAITING_FOR_REVIEW', 'waiting_for_review'],
    ['IN_REVIEW', 'in_review'],
    ['ACCEPTED', 'in_review'],
    ['REJECTED', 'rejected'],
    ['METADATA_REJECTED', 'rejected'],
    ['INVALID_BINARY', 'rejected'],
    ['PENDING_DEVELOPER_RELEASE', 'pending_release'],
    ['PENDING_APPLE_RELEASE', 'pending_release'],
    ['PROCESSING_FOR_DISTRIBUTION', 'pending_release'],
    ['READY_FOR_DISTRIBUTION', 'live'],
    ['SOMETHING_NEW', 'unknown'],
  ] as const)('%s is %s', (word, state) => {
    expect(versions({ appVersionState: word, versionString: '1.0' })).toEqual({
      state,
      version: '1.0',
      inFlight: null,
    });
  });

  test.each([
    ['PROCESSING_FOR_APP_STORE', 'pending_release'],
    ['PENDING_CONTRACT', 'pending_release'],
    ['PREORDER_READY_FOR_SALE', 'pending_release'],
    ['READY_FOR_SALE', 'live'],
    ['DEVELOPER_REMOVED_FROM_SALE', 'removed'],
    ['REMOVED_FROM_SALE', 'removed'],
    ['NOT_APPLICABLE', 'unknown'],
  ] as const)('with the old field only, %s is %s', (word, state) => {
    expect(versions({ appStoreState: word }).state).toBe(state);
  });

  test('removed is only in the old field, and it wins there', () => {
    const both = {
      appStoreState: 'REMOVED_FROM_SALE',
      appVersionState: 'READY_FOR_DISTRIBUTION',
    };
    expect(versions(both).state).toBe('removed');
  });
});

describe('several versions', () => {
  const live = {
    appVersionState: 'READY_FOR_DISTRIBUTION',
    versionString: '1.4',
    createdDate: '2026-01-01T00:00:00-08:00',
  };
  const review = {
    appVersionState: 'IN_REVIEW',
    versionString: '1.5',
    createdDate: '2026-02-01T00:00:00-08:00',
  };

  test('a live version is shown, the coming one beside it', () => {
    expect(versions(review, live)).toEqual({
      state: 'live',
      version: '1.4',
      inFlight: { state: 'in_review', version: '1.5' },
    });
  });

  test('removed beats live on another platform', () => {
    expect(versions(live, { appStoreState: 'REMOVED_FROM_SALE' }).state).toBe('removed');
  });

  test('without a live one the newest by its time counts, across offsets', () => {
    const older = { ...review, createdDate: '2026-02-01T09:00:00+09:00', versionString: '1.5' };
    const newer = {
      appVersionState: 'REJECTED',
      createdDate: '2026-01-31T23:00:00-08:00',
      versionString: '1.6',
    };
    expect(versions(older, newer)).toMatchObject({ state: 'rejected', version: '1.6' });
  });

  test('replaced versions are history', () => {
    const old = { ...live, appStoreState: 'REPLACED_WITH_NEW_VERSION' };
    expect(versions(old, review)).toMatchObject({ state: 'in_review', version: '1.5' });
    expect(versions(old)).toEqual({ state: 'unknown', version: null, inFlight: null });
  });

  test('no version at all was never submitted', () => {
    expect(versions().state).toBe('not_submitted');
  });

  test('the order in which they come does not matter', () => {
    const words = fc.constantFrom('IN_REVIEW', 'REJECTED', 'READY_FOR_DISTRIBUTION', 'NEW_WORD');
    const some = fc.uniqueArray(fc.tuple(words, fc.integer({ min: 1, max: 28 })), {
      minLength: 1,
      maxLength: 6,
      selector: ([, day]) => day,
    });
    fc.assert(
      fc.property(some, (list) => {
        const all = list.map(([word, day]) => ({
          appVersionState: word,
          versionString: String(day),
          createdDate: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`,
        }));
        const shown = versions(...all);
        expect(STORE_STATES).toContain(shown.state);
        if (all.filter((one) => one.appVersionState === 'READY_FOR_DISTRIBUTION').length < 2) {
          expect(versions(...all.toReversed())).toEqual(shown);
        }
      }),
    );
  });
});

describe('icons', () => {
  test('the template is filled in', () => {
    expect(iconUrl('https://is1-ssl.mzstatic.com/image/thumb/x/{w}x{h}bb.{f}')).toBe(
      'https://is1-ssl.mzstatic.com/image/thumb/x/512x512bb.png',
    );
  });

  test.each([
    'http://is1-ssl.mzstatic.com/{w}',
    'https://mzstatic.com.evil.example/{w}',
    'https://evil.example/?x=.mzstatic.com',
    'javascript:alert(1)',
    'not an address',
    '',
    null,
    undefined,
  ])('%p is no icon', (template) => {
    expect(iconUrl(template)).toBeNull();
  });
});
