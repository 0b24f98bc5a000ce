import { ActionButton } from '../../parts/action-button.tsx';
import { FormDialog, useAdding } from '../../parts/form-dialog.tsx';
import { Field, type Fields } from '../../parts/form.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { Options } from '../../parts/options.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { api } from '../../state/api.ts';
import type { Query } from '../../state/query.ts';
import { mayOwn, whyNotManage } from '../../state/session.ts';
import { members as t } from '../../texts/members.ts';
import { roleOf, rolesToGive } from './roles.ts';

type Open = Awaited<ReturnType<typeof api.listInvitations>>;

export function Invitations({ invitations }: { invitations: Query<Open> }) {
  const { data, error } = invitations.value;
  if (!error && !data?.length) return null;
  const cancel = (email: string) => api.cancelInvitation({ body: { email } });
  return (
    <ListCard
      title={t.open}
      query={invitations}
      keyOf={({ email }) => email}
      columns={[
        { label: t.email, show: ({ email }) => email, sort: true },
        { label: t.role, show: ({ role }) => t.roles[role] },
        { label: t.expires, at: ({ expiresAt }) => expiresAt },
        {
          label: t.cancel,
          isAct: true,
          show: ({ email }) => <ActionButton inRow button={t.cancel} act={() => cancel(email)} />,
        },
      ]}
    />
  );
}

export function Invite() {
  const invite = (fields: Fields) => {
    const body = { email: fields.get('email').trim(), role: roleOf(fields.get('role')) };
    return api.inviteMember({ body });
  };
  return (
    <FormDialog
      button={t.invite}
      submit={t.inviteButton}
      opening={useAdding('member')}
      notAllowed={whyNotManage.value}
      send={invite}
      made={({ mailed, email, link }) => (
        <>
          {mailed && <p role="status">{t.mailed(email)}</p>}
          <ShownOnce why={t.link} text={link} />
        </>
      )}
    >
      <Field label={t.email} name="email" type="email" />
      <Options
        label={t.role}
        name="role"
        value="member"
        options={rolesToGive(mayOwn.value).map((role) => ({
          value: role,
          label: t.roles[role],
          detail: t.may[role],
        }))}
      />
    </FormDialog>
  );
}
