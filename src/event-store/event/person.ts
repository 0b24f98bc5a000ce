/** The first alias of an anonymous id wins. */
export type Alias = { appId: string; anonymousId: string; userId: string };

export type AppAlias = Omit<Alias, 'appId'>;

export type NewAlias = Alias & { orgId: string; mappedAtMs: number };

export type IdInApp = { appId: string; id: string };

export type DeviceInApp = IdInApp & { orgId: string };

export const idKey = (appId: string, id: string) => `${appId}\u0000${id}`;

export type PeopleFacts = {
  aliases: readonly Alias[];
  erased: ReadonlyMap<string, Date>;
  deleted: ReadonlySet<string>;
};

export function subjectHash(appId: string, id: string): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([appId, id])).digest('hex');
}
