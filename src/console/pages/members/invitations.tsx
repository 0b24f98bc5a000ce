import { useSignal } from '@preact/signals';
import { when } from '../../format.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Options } from '../../parts/options.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { mayOwn } from '../../state/session.ts';
import { members as t } from '../../texts/members.ts';
import { roleOf, rolesToGive } from './roles.ts';

type Open = Awaited<ReturnType<typeof api.listInvitations>>;
type Invited = Awaited<ReturnType<typeof api.inviteMember>>;

export const useInvitations = (enabled: boolean): Query<Open> =>
  useQuery('invitations', (signal) => api.listInvitations(undefined, { signal }), { enabled });

export function Invitations({ invitations }: { invitations: Query<Open> }) {
  const { data, error } = invitations.value;
  if (!error && !data?.length) return null;
  const cancel = async (email: string) => {
    await api.cancelInvitation({ body: { email } });
    invitations.refetch();
    return undefined;
  };
  return (
    <Card title={t.open} count={data?.length} flush>
      <Loaded query={invitations}>
        {(open) => (
          <Table
            caption={t.open}
            rows={open}
            keyOf={({ email }) => email}
            csvName={null}
            columns={[
              { label: t.email, show: ({ email }) => email, sort: ({ email }) => email },
              { label: t.role, show: ({ role }) => t.roles[role] },
              { label: t.expires, show: ({ expiresAt }) => when(expiresAt) },
              {
                label: t.cancel,
                isAct: true,
                show: ({ email }) => (
                  <ActionButton inRow button={t.cancel} act={() => cancel(email)} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Invite(props: { onCancel: () => void; onInvited: (made: Invited) => void }) {
  const invite = async (fields: Fields) => {
    const body = { email: fields.get('email').trim(), role: roleOf(fields.get('role')) };
    props.onInvited(await api.inviteMember({ body }));
  };
  return (
    <Form button={t.inviteButton} keep onSubmit={invite} onCancel={props.onCancel}>
      <Field label={t.email} name="email" type="email" autocomplete="off" />
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
    </Form>
  );
}

export function InviteDialog(props: {
  isOpen: boolean;
  onClose: () => void;
  onInvited: () => void;
}) {
  const made = useSignal<Invited | null>(null);
  const close = () => {
    made.value = null;
    props.onClose();
  };
  return (
    <Dialog title={t.invite} isOpen={props.isOpen} onClose={close}>
      {made.value === null ? (
        <Invite
          onCancel={close}
          onInvited={(invited) => {
            made.value = invited;
            props.onInvited();
          }}
        />
      ) : (
        <>
          {made.value.mailed && <p role="status">{t.mailed(made.value.email)}</p>}
          <ShownOnce why={t.link} text={made.value.link} />
          <div class="dialog-acts">
            <Button kind="primary" onClick={close}>
              {t.done}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
