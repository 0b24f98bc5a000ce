import { KEPT_OF_APP, PERSON_PLACES } from './chapters.ts';

export type Place = {
  place: string;
  columns?: readonly string[];
  foundBy: string;
  erasure: string;
  exportedAs: string;
  appDeletion: string;
  organizationDeletion: string;
  kept: string;
};

const GOES = { appDeletion: 'deleted', organizationDeletion: 'deleted' };
const STAYS = { appDeletion: 'stays', organizationDeletion: 'deleted' };
const NOTHING = { erasure: 'not searched', exportedAs: '–' };

const KEPT: Readonly<Record<string, string>> = {
  audit_entries: 'as long as the organization keeps its audit, 400 days until it says',
  event_rejections: '400 days',
  logs: '30 days, or as the app says',
  webhook_deliveries: '30 days',
};

const RECORDS = PERSON_PLACES.map(
  ({ kind, table, ids, words = [], change, erase }): Place => ({
    place: table,
    columns: [...ids, ...words],
    foundBy: ids.length > 0 ? `the id in ${ids.join(', ')}` : 'what else names the person',
    erasure: table === 'audit_entries' ? 'a pseudonym' : change ? 'taken out' : 'deleted',
    exportedAs: kind,
    appDeletion: KEPT_OF_APP[table] ?? 'deleted',
    organizationDeletion: 'deleted',
    kept: KEPT[table] ?? (erase ? 'as the app says' : 'until then'),
  }),
);

const ofEvents = (place: string, erasure: string, rest: Partial<Place> = {}): Place => ({
  ...{ place, foundBy: 'the person of the row', erasure, exportedAs: 'events' },
  ...{ appDeletion: 'deleted', organizationDeletion: 'deleted', kept: 'as the app says' },
  ...rest,
});

const EVENTS: readonly Place[] = [
  ofEvents('event log (`log/`, segments)', 'hidden at once, gone with compaction'),
  ofEvents('event files and projections (Parquet)', 'hidden at once, rewritten within minutes'),
  ofEvents('event_files', 'with the file', { columns: ['stats'] }),
  ofEvents('event_people', 'deleted', {
    columns: ['anonymous_id', 'user_id'],
    exportedAs: 'anonymousIds',
  }),
  ofEvents('event_erasures', 'written; the id until the files are clean, then the hash', {
    columns: ['subject', 'subject_hash'],
    exportedAs: '–',
    kept: 'until then',
  }),
  ofEvents('lake files and manifests', 'out of the current snapshot within minutes', {
    exportedAs: '–',
    kept: 'snapshots 27 hours',
  }),
  ofEvents('lake_exposures, lake_files', 'with the files', {
    columns: ['stats'],
    exportedAs: '–',
  }),
  ofEvents('members of a segment (memory)', 'at once, in other processes within a minute', {
    exportedAs: '–',
    kept: 'a minute',
  }),
];

const written = (place: string, columns: readonly string[], rest: Partial<Place> = {}): Place => ({
  ...{ place, columns, foundBy: '–', ...NOTHING, ...GOES, kept: 'until a member deletes it' },
  ...rest,
});

const WORDS: readonly Place[] = [
  written('flags, flag_versions', ['definition', 'why']),
  written('funnels', ['name', 'steps']),
  written('mark_notes', ['text']),
  written('saved_questions', ['name', 'question']),
  written('segments', ['name', 'rule']),
  written('sql_queries', ['name', 'sql', 'parameters'], STAYS),
  written('watches', ['rule']),
  written('store_reviews', ['title', 'body', 'nickname'], { kept: 'as the store shows them' }),
  written('messages', ['text'], { kept: '30 days' }),
  written('message_bundles', ['bundle'], { ...STAYS, kept: '30 days' }),
  written('purchase_notifications', ['payload'], {
    kept: 'as signed, with its account token: 400 days, or as the app says (`notificationDays`)',
  }),
  written('play_purchases', ['purchase_token'], { kept: 'with the purchase' }),
];

const account = (place: string, columns: readonly string[], rest: Partial<Place> = {}): Place => ({
  ...{ place, columns, foundBy: 'the account', erasure: '–', exportedAs: '–', appDeletion: '–' },
  ...{ organizationDeletion: 'stays', kept: 'until the account is erased' },
  ...rest,
});

const ACCOUNTS: readonly Place[] = [
  account('auth.user', ['id', 'name', 'email', 'image', 'company_email', 'company_org_id']),
  account('auth.organization', ['made_by'], {
    organizationDeletion: 'deleted',
    kept: 'with the organization; the id stands for nobody once the account is erased',
  }),
  account('auth.account', ['accountId', 'userId', 'password', 'idToken']),
  account('auth.session', ['userId', 'ipAddress', 'userAgent'], {
    kept: '30 days after its end, or until the account is erased',
  }),
  account('auth.twoFactor, auth.used_code', ['userId', 'user_id', 'secret']),
  account('auth.member, barred_members', ['userId', 'user_id'], {
    organizationDeletion: 'deleted',
  }),
  account('barred_addresses', ['address_hash'], {
    organizationDeletion: 'deleted',
    kept: 'until the person is invited; a hash alone, once the account is erased',
  }),
  account('auth.invitation', ['email', 'inviterId'], { organizationDeletion: 'deleted' }),
  account('auth.verification', ['identifier', 'value'], { kept: '30 days after its end' }),
  account('identity_links', ['subject', 'user_id'], { organizationDeletion: 'deleted' }),
  account('audit_entries', ['actor_id', 'address', 'user_agent'], {
    organizationDeletion: 'deleted',
    kept: 'with the entry; the id stands for nobody once the account is erased',
  }),
  account('onboarding_surveys', ['user_id', 'source', 'source_detail', 'building'], {
    organizationDeletion: 'deleted',
  }),
  account('digest_destinations', ['name', 'sealed_target', 'reader_user_id'], {
    organizationDeletion: 'deleted',
  }),
  account('demo_organizations', ['user_id'], { organizationDeletion: 'deleted' }),
  account('organization_deletions', ['requested_by'], { kept: 'the id for good' }),
];

const beyond = (place: string, kept: string, organizationDeletion = 'stays'): Place => ({
  ...{ place, foundBy: '–', ...NOTHING, appDeletion: 'stays', organizationDeletion, kept },
});

const BEYOND: readonly Place[] = [
  beyond('backups', 'until they are removed; a restore erases again'),
  beyond(
    'runs in Temporal',
    'until the namespace removes ended runs (its retention), as those that the server refuses to remove; names of the app and organization alone',
    'removed, but for its own deletion, which names nobody',
  ),
  beyond(
    'unfinished files of a killed process (`.scratch`)',
    'a minute; an hour where the host does not come back',
  ),
  beyond('copies of event files on hosts (S3)', 'three days after their last use'),
  beyond('service log', 'as you keep it; it holds no id of a person of an app'),
  beyond(
    'free space of database pages, statistics of emptied tables',
    'until PostgreSQL writes over them; dead rows are vacuumed within the hour',
  ),
];

export const PLACES: readonly Place[] = [...RECORDS, ...EVENTS, ...WORDS, ...ACCOUNTS, ...BEYOND];
