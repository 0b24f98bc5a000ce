import { Card } from '../../parts/card.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { api } from '../../state/api.ts';
import { useOrganizations } from '../../state/organizations.ts';
import { mayManage, mayOwn, session, whyNotManage } from '../../state/session.ts';
import { useApi } from '../../state/use-api.ts';
import { texts } from '../../texts/index.ts';
import { organization as t } from '../../texts/organization.ts';
import { AuditKept, OwnCurrency, RequiredFactor } from './settings.tsx';

const loadCompany = () => import('./company-sign-in.tsx');

type Own = Awaited<ReturnType<typeof api.listOrganizations>>[number];

function Name({ own }: { own: Own }) {
  return (
    <Card title={t.names}>
      <Form
        button={texts.save}
        done={texts.saved}
        notAllowed={whyNotManage.value}
        onSubmit={(fields) => {
          const body = { name: fields.get('name').trim(), slug: fields.get('slug').trim() };
          return api.updateOrganization({ body });
        }}
      >
        <Field label={t.name} name="name" value={own.name} maxLength={80} />
        <Field
          label={t.slug}
          name="slug"
          value={own.slug}
          hint={t.slugRule}
          rule="organizationSlug"
        />
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

function Delete({ own, isDemo }: { own: Own; isDemo: boolean }) {
  const button = isDemo ? t.removeDemo : t.delete;
  const remove = isDemo ? api.deleteDemo : api.deleteOrganization;
  return (
    <Card title={isDemo ? t.demo : t.delete} class="danger-zone">
      <p>{isDemo ? t.demoText : t.deleteLoss}</p>
      <p class="row">
        <Confirmed
          button={button}
          title={button}
          loss={isDemo ? t.demoLoss : t.deleteLoss}
          name={own.slug}
          notAllowed={!mayOwn.value && t.ownersOnly}
          onConfirm={async () => {
            await remove({ query: { confirm: own.slug } });
            location.assign('/');
          }}
        />
      </p>
    </Card>
  );
}

export function Organization() {
  const all = useOrganizations();
  const demo = useApi(api.getDemo);
  const { module: company } = useModule(loadCompany, mayOwn.value);
  return (
    <Page question={t.question} help="identity">
      <Loaded query={all}>
        {(organizations) => {
          const own = organizations.find(({ id }) => id === session.value?.activeOrganizationId);
          if (!own) return null;
          return (
            <>
              <div class="grid two stretch">
                <Name own={own} />
                <OwnCurrency />
                {mayManage.value && <AuditKept />}
                <RequiredFactor />
                {company && <company.CompanySignIn />}
              </div>
              <Documents />
              {demo.value.data && <Delete own={own} isDemo={demo.value.data.madeAt != null} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
