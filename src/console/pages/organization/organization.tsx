import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayManage, session } from '../../state/session.ts';
import { readSession } from '../../state/sign-in.ts';
import { texts } from '../../texts/index.ts';
import { organization as t } from '../../texts/organization.ts';
import { OwnCurrency } from './currency.tsx';
import { Zones } from './zones.tsx';

/** The organization's own name, the days of its apps, and its end. */
export function Organization() {
  const all = useQuery('organizations', (signal) => api.listOrganizations(undefined, { signal }));
  const { activeOrganizationId, role } = session.value ?? {};
  const notAllowed = !mayManage.value && texts.errors.managersOnly;
  return (
    <Page title={t.title} question={t.question} help="identity">
      <Loaded query={all}>
        {(organizations) => {
          const own = organizations.find(({ id }) => id === activeOrganizationId);
          if (!own) return null;
          return (
            <>
              <Form
                button={t.save}
                done={t.saved}
                notAllowed={notAllowed}
                onSubmit={async (fields) => {
                  const body = { name: fields.get('name').trim(), slug: fields.get('slug').trim() };
                  await api.updateOrganization({ body });
                  all.refetch();
                }}
              >
                <div class="row">
                  <Field label={t.name} name="name" value={own.name} maxLength={80} />
                  <Field
                    label={t.slug}
                    name="slug"
                    value={own.slug}
                    hint={t.slugRule}
                    maxLength={48}
                  />
                </div>
              </Form>
              <OwnCurrency />
              <Zones />
              <h2>{t.delete}</h2>
              <p>{t.deleteLoss}</p>
              <Confirmed
                button={t.delete}
                title={t.delete}
                loss={t.deleteLoss}
                name={own.slug}
                notAllowed={role !== 'owner' && t.ownersOnly}
                onConfirm={async () => {
                  await api.deleteOrganization({ query: { confirm: own.slug } });
                  await readSession();
                }}
              />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
