/** The anonymous id of a device means a user of the app. The first alias of an id stays. */
export type Alias = { appId: string; anonymousId: string; userId: string };

/** An alias where the app is understood. */
export type AppAlias = Omit<Alias, 'appId'>;

/** An alias as the events that make it are compacted. */
export type NewAlias = Alias & { orgId: string; mappedAtMs: number };

export type IdInApp = { appId: string; id: string };

export type DeviceInApp = IdInApp & { orgId: string };

export const idKey = (appId: string, id: string) => `${appId}\u0000${id}`;

/** What the database knows of the people of some rows. */
export type PeopleFacts = {
  aliases: readonly Alias[];
  /** Time of erasure by subject hash. */
  erased: ReadonlyMap<string, Date>;
  deleted: ReadonlySet<string>;
};

/** The tombstone of an erased id: a hash, kept for good. */
export function subjectHash(appId: string, id: string): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([appId, id])).digest('hex');
}
