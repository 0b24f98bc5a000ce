import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../state/api.ts';
import { goToOrganization } from '../../state/organization.ts';
import { useActiveOrganization } from '../../state/organizations.ts';
import { session } from '../../state/session.ts';
import { account as t } from '../../texts/account.ts';
import { ownCompany } from '../../texts/own-company.ts';
import { signIn as signInTexts } from '../../texts/sign-in.ts';
import { joinCompany, Refused, ShortName } from './company.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

const You = () => (
  <Card title={t.you}>
    <Facts
      rows={[
        [t.name, session.value?.user.name],
        [t.email, session.value?.user.email],
        [t.role, session.value?.role ? t.roles[session.value.role] : null],
      ]}
    />
  </Card>
);

function Password() {
  const change = (fields: Fields) =>
    api.changePassword({
      body: { currentPassword: fields.get('current'), newPassword: fields.get('next') },
    });
  return (
    <Card title={t.password}>
      <Form button={t.change} done={t.changed} onSubmit={change}>
        <Field label={t.current} name="current" type="password" autocomplete="current-password" />
        <Field
          label={t.next}
          name="next"
          type="password"
          autocomplete="new-password"
          hint={signInTexts.passwordRule}
          minLength={10}
          maxLength={128}
        />
      </Form>
    </Card>
  );
}

const NewOrganization = () => (
  <Card title={t.organization}>
    <p class="quiet">{t.organizationWhy}</p>
    <Form
      button={t.create}
      onSubmit={async (fields) => {
        const made = await api.createOrganization({ body: { name: fields.get('name').trim() } });
        goToOrganization(made.id);
      }}
    >
      <Field label={t.organizationName} name="name" autocomplete="organization" maxLength={80} />
    </Form>
  </Card>
);

function Here() {
  const active = useActiveOrganization();
  if (!active) return null;
  const leave = async () => {
    await api.leaveOrganization({ body: { organizationId: active.id } });
    location.assign('/');
  };
  return (
    <Card title={t.here}>
      <p class="quiet">{t.hereWhy}</p>
      <Confirmed
        button={t.leave}
        title={t.leaveTitle(active.name)}
        loss={t.leaveLoss}
        name={active.name}
        onConfirm={leave}
      />
    </Card>
  );
}

function Company() {
  const active = useActiveOrganization();
  if (!active) return null;
  return (
    <Card title={ownCompany.own}>
      <Refused />
      <p class="quiet">{ownCompany.ownWhy}</p>
      <Form
        button={ownCompany.join}
        onSubmit={(fields) => joinCompany(fields.get('organization').trim().toLowerCase())}
      >
        <ShortName value={active.slug} />
      </Form>
    </Card>
  );
}

function OfAccount() {
  return (
    <>
      <div class="grid two stretch">
        <You />
        <Password />
        <SecondFactor />
        <NewOrganization />
        <Company />
        <Here />
      </div>
      <Sessions />
    </>
  );
}

export function Account() {
  return (
    <Page question={t.question} help="identity">
      {session.value?.byCompany ? (
        <>
          <p class="quiet">{ownCompany.byCompany}</p>
          <div class="grid two stretch">
            <You />
            <Here />
          </div>
        </>
      ) : (
        <OfAccount />
      )}
    </Page>
  );
}
