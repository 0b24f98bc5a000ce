/** The first alias of an anonymous id wins. */
export type Alias = { appId: string; anonymousId: string; userId: string };

export type AppAlias = Omit<Alias, 'appId'>;

export type NewAlias = Alias & { orgId: string; mappedAtMs: number };

export type IdInApp = { appId: string; id: string };

export type DeviceInApp = IdInApp & { orgId: string };

export const idKey = (appId: string, id: string) => `${appId}\u0000${id}`;

export const ERASED_AS = ['both', 'person', 'device'] as const;
/** The person's events, the device's events without a user, or both. */
export type ErasedAs = (typeof ERASED_AS)[number];
export type ErasedId = IdInApp & { erasedAs?: ErasedAs | undefined };
export type Tombstone = { erasedAt: Date; erasedAs: ErasedAs };

export const isErasedAs = (erasedAs: ErasedAs, as: 'person' | 'device'): boolean =>
  erasedAs === 'both' || erasedAs === as;

export type PeopleFacts = {
  aliases: readonly Alias[];
  erased: ReadonlyMap<string, Tombstone>;
  deleted: ReadonlySet<string>;
};

export function subjectHash(appId: string, id: string): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([appId, id])).digest('hex');
}
