import { OWNERS } from '../../../shared/permissions.ts';
import { ChoiceWithConfirm } from '../../parts/choice-with-confirm.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../state/api.ts';
import { mayManage, mayOwn, type Role, session, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { members as t } from '../../texts/members.ts';
import { Invitations, Invite } from './invitations.tsx';
import { gives, roleChange, rolesToGive } from './roles.ts';

type Member = Awaited<ReturnType<typeof api.listMembers>>[number];

function whyNot(member: Member, members: readonly Member[]): string | false {
  if (whyNotManage.value) return whyNotManage.value;
  const isOwner = (one: { role: Role }) => OWNERS.includes(one.role);
  if (!isOwner(member)) return false;
  if (!mayOwn.value) return t.ownersOnly;
  return members.filter(isOwner).length === 1 && t.lastOwner;
}

function RoleChoice({ member, all }: { member: Member; all: readonly Member[] }) {
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
      onSave={(chosen) => api.updateMemberRole({ body: { memberId: id, role: chosen } })}
      disabledWhy={whyNot(member, all)}
    />
  );
}

const isReader = ({ userId }: Member) => userId === session.value?.user.id;

export function Members() {
  const members = useApi(api.listMembers);
  const invitations = useApi(api.listInvitations, {}, { enabled: mayManage.value });
  const all = members.value.data ?? [];
  return (
    <Page question={t.question} help="identity" actions={<Invite />}>
      <ListCard
        title={t.title}
        query={members}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t.name,
            show: (member) => (
              <>
                <strong>{member.name}</strong>{' '}
                {isReader(member) && <span class="chip">{t.you}</span>}
              </>
            ),
            sort: ({ name }) => name,
            second: ({ email }) => email,
            narrow: true,
          },
          {
            label: t.role,
            show: (member) => <RoleChoice {...{ member, all }} />,
            narrow: true,
          },
          { label: t.joined, at: ({ createdAt }) => createdAt, sort: true },
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
                  notAllowed={whyNot(member, all)}
                  onConfirm={() => api.removeMember({ body: { memberId: member.id } })}
                />
              ),
          },
        ]}
      />
      {mayManage.value && <Invitations invitations={invitations} />}
    </Page>
  );
}
