import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { ErrorNotice, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage, type Role } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { members as t } from '../../texts/members.ts';

const ROLES = [
  ['member', t.roles.member],
  ['viewer', t.roles.viewer],
  ['admin', t.roles.admin],
  ['owner', t.roles.owner],
] as const;

const roleOf = (text: string): Role => ROLES.find(([role]) => role === text)?.[0] ?? 'viewer';

function Everybody() {
  const members = useQuery('members', (signal) => api.listMembers(undefined, { signal }));
  const notAllowed = !mayManage.value && texts.errors.managersOnly;
  const error = useSignal<RequestError | null>(null);
  const change = async (memberId: string, role: Role) => {
    error.value = null;
    try {
      await api.updateMemberRole({ body: { memberId, role } });
    } catch (caught) {
      error.value = toRequestError(caught);
    }
    members.refetch();
  };
  return (
    <Loaded query={members}>
      {(all) => (
        <>
          {error.value && <ErrorNotice error={error.value} />}
          <Table
            caption={t.title}
            rows={all}
            keyOf={({ id }) => id}
            csvName="members"
            columns={[
              { label: t.name, show: ({ name }) => name },
              { label: t.email, show: ({ email }) => email },
              {
                label: t.role,
                plain: ({ role }) => role,
                show: ({ id, role }) =>
                  notAllowed ? (
                    role
                  ) : (
                    <Choice
                      label={t.role}
                      name={`role-${id}`}
                      hideLabel
                      options={ROLES}
                      value={role}
                      onChange={(chosen) => void change(id, chosen)}
                    />
                  ),
              },
              {
                label: t.joined,
                show: ({ createdAt }) => when(createdAt),
                plain: ({ createdAt }) => createdAt,
              },
              {
                label: t.remove,
                show: ({ id, email }) => (
                  <Confirmed
                    button={t.remove}
                    title={`${t.remove} ${email}`}
                    loss={t.removeLoss}
                    name={email}
                    notAllowed={notAllowed}
                    onConfirm={async () => {
                      await api.removeMember({ body: { memberId: id } });
                      members.refetch();
                    }}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

function Invitations() {
  const link = useSignal<string | null>(null);
  const isMailed = useSignal(false);
  const open = useQuery('invitations', (signal) => api.listInvitations(undefined, { signal }));
  const invite = async (fields: Fields) => {
    const made = await api.inviteMember({
      body: { email: fields.get('email'), role: roleOf(fields.get('role')) },
    });
    link.value = made.link;
    isMailed.value = made.mailed;
    open.refetch();
  };
  const cancel = async (email: string) => {
    await api.cancelInvitation({ body: { email } });
    open.refetch();
    return undefined;
  };
  return (
    <>
      <h2>{t.invite}</h2>
      <Form button={t.inviteButton} onSubmit={invite}>
        <div class="row">
          <Field label={t.email} name="email" type="email" autocomplete="off" />
          <Choice label={t.role} name="role" options={ROLES} />
        </div>
      </Form>
      {isMailed.value && <p role="status">{t.mailed}</p>}
      <ShownOnce why={t.link} text={link.value} />
      <h2>{t.open}</h2>
      <Loaded query={open}>
        {(invitations) =>
          invitations.length === 0 ? (
            <p>{t.noneOpen}</p>
          ) : (
            <Table
              caption={t.open}
              rows={invitations}
              keyOf={({ email }) => email}
              csvName="invitations"
              columns={[
                { label: t.email, show: ({ email }) => email },
                { label: t.role, show: ({ role }) => role },
                { label: t.expires, show: ({ expiresAt }) => when(expiresAt) },
                {
                  label: t.cancel,
                  show: ({ email }) => <ActionButton button={t.cancel} act={() => cancel(email)} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

export function Members() {
  return (
    <Page title={t.title} question={t.question} help="identity">
      <Everybody />
      {mayManage.value ? <Invitations /> : <p class="quiet">{texts.errors.managersOnly}</p>}
    </Page>
  );
}
