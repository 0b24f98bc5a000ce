import type { Alias, IdInApp } from '../event-store/read.ts';
import type { Db } from '../storage/postgres.ts';

/** A live file and the apps of the organization that have rows in it. */
export type OrganizationFile = {
  path: string;
  format: number;
  /** Nobody else has rows in it. */
  isOwn: boolean;
  appIds: string[];
  peopleSeq: number;
};

export async function selectOrganizationFiles(db: Db, orgId: string): Promise<OrganizationFile[]> {
  return db<OrganizationFile[]>`
    SELECT f.path, f.format, f.org_id IS NOT NULL AS "isOwn", array_agg(a.app_id) AS "appIds",
      f.people_seq AS "peopleSeq"
    FROM event_file_apps a JOIN event_files f USING (file_id)
    WHERE a.org_id = ${orgId} AND f.state = 'live'
    GROUP BY f.file_id ORDER BY f.min_occurred_at, f.file_id`;
}

/** Aliases made after the oldest of the files was written. */
export async function selectLateAliases(db: Db, orgId: string, seq: number): Promise<Alias[]> {
  return db<Alias[]>`
    SELECT app_id AS "appId", anonymous_id AS "anonymousId", user_id AS "userId" FROM event_people
    WHERE org_id = ${orgId} AND catalogued_seq > ${seq}`;
}

/** Erased people whose rows files may still hold. */
export async function selectErased(db: Db, orgId: string): Promise<IdInApp[]> {
  return db<IdInApp[]>`
    SELECT app_id AS "appId", subject AS id FROM event_erasures
    WHERE org_id = ${orgId} AND subject IS NOT NULL`;
}
