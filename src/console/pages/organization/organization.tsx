import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { api } from '../../state/api.ts';
import { useOrganizations } from '../../state/organizations.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage, mayOwn, session, whyNotManage } from '../../state/session.ts';
import { organization as t } from '../../texts/organization.ts';
import { AuditKept } from './audit-kept.tsx';
import { OwnCurrency } from './currency.tsx';
import { RequiredFactor } from './required-factor.tsx';

const loadCompany = () => import('./company-sign-in.tsx');

type Own = Awaited<ReturnType<typeof api.listOrganizations>>[number];

function Name({ own, refetch }: { own: Own; refetch: () => void }) {
  return (
    <Card title={t.names}>
      <Form
        button={t.save}
        done={t.saved}
        notAllowed={whyNotManage.value}
        onSubmit={async (fields) => {
          const body = { name: fields.get('name').trim(), slug: fields.get('slug').trim() };
          await api.updateOrganization({ body });
          refetch();
        }}
      >
        <Field label={t.name} name="name" value={own.name} maxLength={80} />
        <Field label={t.slug} name="slug" value={own.slug} hint={t.slugRule} maxLength={48} />
      </Form>
    </Card>
  );
}

const Documents = () => (
  <Card title={t.more}>
    <ul class="documents">
      {[
        ['/docs', t.api],
        ['/help', t.help],
      ].map(([href, text]) => (
        <li key={href}>
          <a href={href ?? '/help'} target="_blank" rel="noreferrer">
            {text}
          </a>
        </li>
      ))}
    </ul>
  </Card>
);

const RemoveDemo = ({ own }: { own: Own }) => (
  <Card title={t.demo} class="danger-zone">
    <p>{t.demoText}</p>
    <p class="row">
      <Confirmed
        button={t.removeDemo}
        title={t.removeDemo}
        loss={t.demoLoss}
        name={own.slug}
        notAllowed={!mayOwn.value && t.ownersOnly}
        onConfirm={async () => {
          await api.deleteDemo({ query: { confirm: own.slug } });
          location.assign('/');
        }}
      />
    </p>
  </Card>
);

const Delete = ({ own }: { own: Own }) => (
  <Card title={t.delete} class="danger-zone">
    <p>{t.deleteLoss}</p>
    <p class="row">
      <Confirmed
        button={t.delete}
        title={t.delete}
        loss={t.deleteLoss}
        name={own.slug}
        notAllowed={!mayOwn.value && t.ownersOnly}
        onConfirm={async () => {
          await api.deleteOrganization({ query: { confirm: own.slug } });
          location.assign('/');
        }}
      />
    </p>
  </Card>
);

export function Organization() {
  const all = useOrganizations();
  const demo = useQuery('demo', (signal) => api.getDemo(undefined, { signal }));
  const { module: company } = useModule(loadCompany, mayOwn.value);
  const isDemo = demo.value.data?.madeAt != null;
  return (
    <Page title={t.title} question={t.question} help="identity">
      <Loaded query={all}>
        {(organizations) => {
          const own = organizations.find(({ id }) => id === session.value?.activeOrganizationId);
          if (!own) return null;
          return (
            <>
              <div class="grid two stretch">
                <Name own={own} refetch={all.refetch} />
                <OwnCurrency />
                {mayManage.value && <AuditKept />}
                <RequiredFactor />
                {company && <company.CompanySignIn />}
              </div>
              <Documents />
              {demo.value.data && (isDemo ? <RemoveDemo own={own} /> : <Delete own={own} />)}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
