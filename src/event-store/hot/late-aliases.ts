import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../shared/time.ts';
import type { LateAliases, Moment } from '../catalogue/moment-queries.ts';
import type { AppAlias } from '../event/person.ts';

const KEPT_MS = 10 * MINUTE_MS;
const MAX_APPS = 10_000;
const MAX_ALIASES = 200_000;

type Kept = LateAliases & { people: string; after: number };
type LateOf = { aliases: readonly AppAlias[]; sharesIds: boolean };

/** Per app, while its people stay as they are. */
export class KeptAliases {
  /** Sequence number of the oldest file lately read, by app. */
  readonly #oldestSeqs = new LRUCache<string, number>({
    max: MAX_APPS,
    ttl: KEPT_MS,
    noUpdateTTL: true,
  });
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_ALIASES,
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });

  /** The moment by `read`, asked again where the assumed oldest file was too young. */
  async moment(
    appId: string,
    read: (asked: { aliasesAfter: number; knownPeople: string | null }) => Promise<Moment>,
  ): Promise<{ moment: Moment; late: LateOf }> {
    let aliasesAfter = this.#oldestSeqs.get(appId) ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const found = this.#kept.get(appId);
      const known = found?.after === aliasesAfter ? found : null;
      const moment = await read({ aliasesAfter, knownPeople: known?.people ?? null });
      const late = moment.late ?? known;
      if (moment.oldestSeq >= aliasesAfter && late !== null) {
        if (moment.late) this.#keep(appId, { ...late, people: moment.people, after: aliasesAfter });
        return { moment, late: sinceOldest(late, moment.oldestSeq) };
      }
      aliasesAfter = moment.oldestSeq;
      this.#oldestSeqs.set(appId, aliasesAfter);
    }
  }

  #keep(appId: string, kept: Kept): void {
    this.#kept.set(appId, kept, { size: 1 + kept.aliases.length });
  }
}

const sinceOldest = ({ aliases, sharesIds }: LateAliases, oldestSeq: number): LateOf => ({
  aliases: aliases.every(({ seq }) => seq > oldestSeq)
    ? aliases
    : aliases.filter(({ seq }) => seq > oldestSeq),
  sharesIds,
});
