import { expect, test } from 'bun:test';
import { refreshCompanySignIns } from '../../../src/modules/identity/company/refresh.ts';
import { startLyingIssuer, type Words } from '../../simulators/issuer/server.ts';
import { CLIENT_SECRET, companyDoors } from '../../support/company.ts';
import { startListening } from '../../support/listening.ts';
import { type Browser, newBrowser, startIssuer } from '../../support/oidc-issuer.ts';
import { createTestMember, createTestPerson, signInAs } from '../../support/people.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestOrg } from '../../support/service.ts';

const HISTORIES = isFullRun ? 500 : 20;
const ACTS = 14;

const whole = await startIssuer('whole');
const thin = await startIssuer('thin', { isThin: true });
const lying = await startLyingIssuer();
const { service, url } = await startListening({
  EGRESS_ALLOW: [whole, thin, lying].map(({ port }) => `127.0.0.1:${port}`).join(','),
});
const { deps } = service;
const { sql } = deps;
const doors = companyDoors(service, url);

type Said = { sub: string; email: string; groups: string[]; isGone: boolean };
type Issuing = { issuer: string; says: (said: Said) => void };

const certified = ({ issuer, state }: typeof whole): Issuing => ({
  issuer,
  says: ({ sub, ...person }) => {
    state.people.set(sub, person);
    state.signsIn = sub;
  },
});
const saidByLiar = new Map<string, Said>();
const wordsOf = ({ sub, email, groups }: Said): Words => ({
  ...{ sub, email, groups, email_verified: true, name: 'Somebody' },
});
lying.state.onRefresh = ({ sub }) => {
  const said = saidByLiar.get(String(sub));
  return said && !said.isGone ? wordsOf(said) : 'invalid_grant';
};
const ISSUERS: Issuing[] = [
  certified(whole),
  certified(thin),
  {
    issuer: lying.issuer,
    says: (said) => {
      saidByLiar.set(said.sub, said);
      lying.state.says = wordsOf(said);
    },
  },
];

async function company({ issuer, says }: Issuing) {
  const org = await createTestOrg(service);
  const owner = await createTestMember(service, org, 'owner');
  const [{ slug = '' } = {}] = await sql<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE id = ${org.orgId}`;
  return { orgId: org.orgId, slug, owner, issuer, says };
}
const companies = await Promise.all(ISSUERS.map(company));
type Company = (typeof companies)[number];
for (const [at, of] of [whole, thin].entries()) {
  await of.register([doors.clientOf(companies[at]?.orgId ?? '')]);
}
for (const { orgId, owner, issuer } of companies) {
  const body = {
    issuer,
    clientId: doors.clientOf(orgId).client_id,
    clientSecret: CLIENT_SECRET,
    domains: ['example.com'],
    groupsClaim: 'groups',
    roles: [
      { group: 'boss', role: 'admin' },
      { group: 'staff', role: 'member' },
    ],
    roleWithoutGroup: null,
    isOnlyWay: false,
  };
  const path = '/v1/auth/organization/provider';
  expect((await service.call(path, { method: 'PUT', body, headers: owner })).status).toBe(200);
}

type Kind = 'own' | 'made';
type Role = 'admin' | 'member' | 'viewer';
/** Who may what, of one person in one organization, as the documentation says it. */
type Plain = {
  role: Record<Kind, Role | null>;
  barred: Record<Kind, boolean>;
  /** Whose the subject is, and whether the issuer is still asked about it. */
  subject: Kind | null;
  isAsked: boolean;
  /** Secret of an invitation that waits. */
  invited: string | null;
  /** What a session of the company is in that goes on. */
  inside: Kind | null;
  browser: Browser;
  said: Said;
};
type Person = { login: { userId: string; email: string; password: string }; own: Browser };

const roleOf = ({ groups }: Said): Role | null =>
  groups.includes('boss') ? 'admin' : groups.includes('staff') ? 'member' : null;

function end(plain: Plain, kind: Kind): void {
  plain.role[kind] = null;
  if (plain.subject === kind) plain.isAsked = false;
  if (plain.inside === kind) plain.inside = null;
}

/** The company signs `kind` in. */
function begin(plain: Plain, kind: Kind, role: Role): '' {
  if (plain.role[kind] === null) plain.barred[kind] = false;
  plain.role[kind] = role;
  Object.assign(plain, { subject: kind, isAsked: true, inside: kind });
  return '';
}

const isOut = ({ barred, invited }: Plain): boolean =>
  (barred.own || barred.made) && invited === null;

function expectedSignIn(plain: Plain): string {
  const role = roleOf(plain.said);
  if (role === null) {
    if (plain.subject !== null) end(plain, plain.subject);
    return '#refused=no_group';
  }
  const kind = plain.subject ?? (plain.role.own === null ? 'made' : 'own');
  if (plain.role[kind] === null && isOut(plain)) return '#refused=removed';
  if (kind === 'own' && (plain.subject === null || plain.role.own === null)) {
    return '#refused=join_first';
  }
  return begin(plain, kind, role);
}

function expectedJoin(plain: Plain): string {
  const role = roleOf(plain.said);
  if (role === null) {
    if (plain.subject !== null) end(plain, plain.subject);
    return '#refused=no_group';
  }
  if (plain.role.own === null && isOut(plain)) return '#refused=removed';
  if (plain.subject === 'made') {
    end(plain, 'made');
    plain.barred.made = false;
  }
  return begin(plain, 'own', role);
}

const post = async (cookie: { cookie: string }, route: string, body: object) =>
  service.call(`/v1/auth/organization/${route}`, { body, headers: cookie });

async function memberId({ orgId }: Company, plain: Plain, { login }: Person, kind: Kind) {
  const rows = await sql<{ id: string; role: string }[]>`
    SELECT m.id, m.role FROM auth.member m JOIN auth."user" u ON u.id = m."userId"
    WHERE m."organizationId" = ${orgId} AND ${
      kind === 'own'
        ? sql`u.id = ${login.userId}`
        : sql`u.company_org_id IS NOT NULL AND u.id IN (SELECT user_id FROM identity_links
            WHERE org_id = ${orgId} AND subject = ${plain.said.sub})`
    }`;
  return rows[0];
}

type At = { company: Company; plain: Plain; person: Person; other: Plain; random: () => number };

async function refresh(all: readonly Plain[]) {
  await sql`UPDATE identity_links SET tried_at = now() - interval '1 hour'
    WHERE sealed_refresh_token IS NOT NULL`;
  await refreshCompanySignIns(deps);
  for (const plain of all.filter(({ isAsked }) => isAsked)) {
    const [role, { subject }] = [roleOf(plain.said), plain];
    if (subject === null) continue;
    if (plain.said.isGone || role === null) end(plain, subject);
    else if (plain.role[subject] !== null) plain.role[subject] = role;
  }
}

const outcomes = new Map<string, number>();
const note = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1);

const ACTIONS: Record<string, (at: At) => Promise<void>> = {
  comes: async ({ company: { slug, says }, plain }) => {
    if (plain.said.isGone) return;
    says(plain.said);
    const browser = newBrowser();
    const hash = await doors.walk(browser, slug);
    note(`comes ${hash}`);
    expect(hash).toBe(expectedSignIn(plain));
    if (hash === '') plain.browser = browser;
  },
  joins: async ({ company: { slug, says }, plain, person }) => {
    if (plain.said.isGone) return;
    says(plain.said);
    const browser = doors.hold(newBrowser(), doors.headersOf(person.own));
    const hash = await doors.join(browser, slug);
    note(`joins ${hash}`);
    expect(hash).toBe(expectedJoin(plain));
    if (hash === '') plain.browser = browser;
  },
  leaves: async ({ company: { orgId }, plain, person }) => {
    const body = { organizationId: orgId };
    const { status } = await post(doors.headersOf(person.own), 'leave', body);
    expect(status === 200).toBe(plain.role.own !== null);
    end(plain, 'own');
  },
  leavesByCompany: async ({ company: { orgId }, plain }) => {
    const { inside } = plain;
    if (inside === null) return;
    const left = await post(doors.headersOf(plain.browser), 'leave', { organizationId: orgId });
    expect(left.status).toBe(200);
    end(plain, inside);
  },
  isRemoved: async ({ company: at, plain, person, random }) => {
    const kind: Kind = random() < 0.5 ? 'own' : 'made';
    const row = await memberId(at, plain, person, kind);
    if (!row) return;
    expect((await post(at.owner, 'remove-member', { memberId: row.id })).status).toBe(200);
    end(plain, kind);
    plain.barred[kind] = true;
  },
  isInvited: async ({ company: { owner }, plain, person }) => {
    const { email } = person.login;
    const made = await post(owner, 'invite-member', { email, role: 'viewer' });
    expect(made.status === 200).toBe(plain.role.own === null);
    if (made.status === 200) plain.invited = made.body.id;
  },
  accepts: async ({ plain, person }) => {
    if (plain.invited === null) return;
    const body = { invitationId: plain.invited };
    const { status } = await post(doors.headersOf(person.own), 'accept-invitation', body);
    expect(status).toBe(plain.role.own === null ? 200 : 409);
    plain.invited = null;
    plain.role.own ??= 'viewer';
    plain.barred.own = false;
  },
  changesGroups: async ({ company: { says }, plain, random }) => {
    const [groups = []] = [[['boss'], ['staff'], ['boss', 'staff'], []][Math.floor(random() * 4)]];
    plain.said = { ...plain.said, groups };
    says(plain.said);
  },
  goesOrComesBack: async ({ company: { says }, plain }) => {
    plain.said = { ...plain.said, isGone: !plain.said.isGone };
    says(plain.said);
  },
  /** Another subject with this person's address, as only a liar has it. */
  isLiedAbout: async ({ company: { slug, says, issuer }, plain, person }) => {
    if (issuer !== lying.issuer) return;
    says({ ...plain.said, sub: crypto.randomUUID(), groups: ['staff'] });
    const browser = newBrowser();
    const hash = await doors.walk(browser, slug);
    says(plain.said);
    const asMember = plain.subject === 'own' ? '#refused=linked_otherwise' : '#refused=join_first';
    const asStranger = isOut(plain) ? '#refused=removed' : '';
    expect(hash).toBe(plain.role.own === null ? asStranger : asMember);
    if (hash !== '') return;
    const { user } = await doors.session(browser);
    expect(user.id).not.toBe(person.login.userId);
    await sql`DELETE FROM auth."user" WHERE id = ${user.id}`;
  },
  /** Another person of the company, in this person's browser. */
  joinsAsAnother: async ({ company: { slug, says }, plain, other, person }) => {
    if (other.said.isGone || roleOf(other.said) === null) return;
    says(other.said);
    const browser = doors.hold(newBrowser(), doors.headersOf(person.own));
    expect(await doors.join(browser, slug)).toBe('#refused=other_address');
    says(plain.said);
  },
};
const NAMES = [...Object.keys(ACTIONS), 'comes', 'comes', 'joins', 'changesGroups'];

async function newPerson() {
  const login = await createTestPerson(service);
  const person = { login, own: doors.hold(newBrowser(), await signInAs(service, login)) };
  const plains = companies.map(({ says }): Plain => {
    const { email } = login;
    const sub = `sub ${email}`;
    const said = { sub, email, groups: ['staff'], isGone: false };
    says(said);
    return {
      role: { own: null, made: null },
      barred: { own: false, made: false },
      ...{ subject: null, isAsked: false, invited: null, inside: null },
      browser: newBrowser(),
      said,
    };
  });
  return { person, plains };
}

async function compare({ person, plains }: Awaited<ReturnType<typeof newPerson>>, story: string) {
  for (const [at, company] of companies.entries()) {
    const plain = plains[at];
    if (!plain) continue;
    for (const kind of ['own', 'made'] as const) {
      const row = await memberId(company, plain, person, kind);
      expect(row?.role ?? null, story).toBe(plain.role[kind]);
    }
    const session = await doors.session(plain.browser);
    const isIn = session?.byCompany === true;
    expect(isIn, story).toBe(plain.inside !== null);
    if (!isIn) continue;
    expect(session.activeOrganizationId, story).toBe(company.orgId);
    expect(session.user.id === person.login.userId, story).toBe(plain.inside === 'own');
    const headers = doors.headersOf(plain.browser);
    const list = await service.call('/v1/auth/organization/list', { headers });
    expect(list.body, story).toHaveLength(1);
  }
  const list = await service.call('/v1/auth/organization/list', {
    headers: doors.headersOf(person.own),
  });
  const mine = list.body.map(({ id }: { id: string }) => id).toSorted();
  const expected = companies.filter((_, at) => plains[at]?.role.own != null);
  expect(mine, story).toEqual(expected.map(({ orgId }) => orgId).toSorted());
}

test(
  `in ${HISTORIES} histories nobody may more or less than the documentation says`,
  async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const random = randomFrom(seed);
      const people = [await newPerson(), await newPerson()];
      const told: string[] = [];
      for (let act = 0; act < ACTS; act += 1) {
        // Mostly of one pair, so that acts meet.
        const who = random() < 0.85 ? 0 : 1;
        const away = random() < 0.15 ? 1 : 0;
        const where = (seed + away) % companies.length;
        const [one, two] = [people[who], people[1 - who]];
        const [company, plain, other] = [companies[where], one?.plains[where], two?.plains[where]];
        if (!one || !company || !plain || !other) throw new Error('There are two of each.');
        const isRefresh = random() < 0.12;
        const name = isRefresh ? 'refresh' : (NAMES[Math.floor(random() * NAMES.length)] ?? '');
        told.push(`${name}(${who}, ${where})`);
        const story = `history ${seed}: ${told.join(' ')}`;
        try {
          if (isRefresh) await refresh(people.flatMap(({ plains }) => plains));
          else await ACTIONS[name]?.({ company, plain, person: one.person, other, random });
        } catch (cause) {
          throw new Error(story, { cause });
        }
        for (const each of people) await compare(each, story);
      }
      await sql`UPDATE identity_links SET sealed_refresh_token = NULL`;
      // An organization sends 200 in a day.
      await sql`DELETE FROM auth.invitation`;
    }
    const seen = [...outcomes.keys()];
    expect(seen).toEqual(expect.arrayContaining(['comes ', 'joins ', 'comes #refused=no_group']));
    expect(seen).toContain('comes #refused=join_first');
  },
  isFullRun ? 7_200_000 : 900_000,
);
