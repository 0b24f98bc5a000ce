import { OWNERS } from '../../../shared/permissions.ts';
import { when } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ChoiceWithConfirm } from '../../parts/choice-with-confirm.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage, mayOwn, type Role, session, whyNotManage } from '../../state/session.ts';
import { members as t } from '../../texts/members.ts';
import { InviteDialog, Invitations, useInvitations } from './invitations.tsx';
import { gives, roleChange, rolesToGive } from './roles.ts';

type Member = Awaited<ReturnType<typeof api.listMembers>>[number];
type Everybody = { members: readonly Member[]; refetch: () => void };

function whyNot(member: Member, members: readonly Member[]): string | false {
  if (whyNotManage.value) return whyNotManage.value;
  const isOwner = (one: { role: Role }) => OWNERS.includes(one.role);
  if (!isOwner(member)) return false;
  if (!mayOwn.value) return t.ownersOnly;
  return members.filter(isOwner).length === 1 && t.lastOwner;
}

function RoleChoice({ member, all }: { member: Member; all: Everybody }) {
  const { id, role, name } = member;
  if (!mayManage.value) return <>{t.roles[role]}</>;
  const given = rolesToGive(mayOwn.value);
  const offered: readonly Role[] = given.includes(role) ? given : [...given, role];
  return (
    <ChoiceWithConfirm
      label={t.roleOf(name)}
      options={offered.map((value) => ({ value, label: t.roles[value], detail: t.may[value] }))}
      value={role}
      changes={(from, to) => roleChange(name, from, to)}
      needsConfirm={gives}
      onSave={async (chosen) => {
        await api.updateMemberRole({ body: { memberId: id, role: chosen } });
        all.refetch();
      }}
      disabledWhy={whyNot(member, all.members)}
    />
  );
}

const isReader = ({ userId }: Member) => userId === session.value?.user.id;

function MembersTable({ all }: { all: Everybody }) {
  const remove = async (memberId: string) => {
    await api.removeMember({ body: { memberId } });
    all.refetch();
  };
  return (
    <Table
      caption={t.title}
      rows={all.members}
      keyOf={({ id }) => id}
      csvName={null}
      columns={[
        {
          label: t.name,
          show: (member) => (
            <>
              <strong>{member.name}</strong> {isReader(member) && <span class="chip">{t.you}</span>}
            </>
          ),
          sort: ({ name }) => name,
          second: ({ email }) => email,
          narrow: true,
        },
        {
          label: t.role,
          show: (member) => <RoleChoice member={member} all={all} />,
          narrow: true,
        },
        {
          label: t.joined,
          show: ({ createdAt }) => when(createdAt),
          sort: ({ createdAt }) => createdAt,
        },
        {
          label: t.remove,
          isAct: true,
          narrow: true,
          show: (member) =>
            mayManage.value && (
              <Confirmed
                inRow
                button={t.remove}
                title={`${t.remove} ${member.email}`}
                loss={t.removeLoss}
                name={member.email}
                notAllowed={whyNot(member, all.members)}
                onConfirm={() => remove(member.id)}
              />
            ),
        },
      ]}
    />
  );
}

export function Members() {
  const [adding, setAdding] = useSetting('add', '');
  const members = useQuery('members', (signal) => api.listMembers(undefined, { signal }));
  const invitations = useInvitations(mayManage.value);
  return (
    <Page
      title={t.title}
      question={t.question}
      help="identity"
      actions={
        <Button
          kind="primary"
          icon={icons.add}
          onClick={() => setAdding('member')}
          disabledWhy={whyNotManage.value}
        >
          {t.invite}
        </Button>
      }
    >
      <Card title={t.title} count={members.value.data?.length} flush>
        <Loaded query={members}>
          {(all) => <MembersTable all={{ members: all, refetch: members.refetch }} />}
        </Loaded>
      </Card>
      {mayManage.value && <Invitations invitations={invitations} />}
      <InviteDialog
        isOpen={adding === 'member' && mayManage.value}
        onClose={() => setAdding('')}
        onInvited={invitations.refetch}
      />
    </Page>
  );
}
