import { useLocation } from 'preact-iso';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { mayEdit } from '../../state/session.ts';
import { home as t } from '../../texts/home.ts';
import { texts } from '../../texts/index.ts';
import { COLUMNS } from './figures.tsx';

function ThreeDoors() {
  return (
    <div class="notice">
      <p>{t.empty}</p>
      <ul>
        <li>
          <a href="/store">{t.storeDoor}</a> – {t.storeDoorWhy}
        </li>
        <li>
          <strong>{t.connectDoor}</strong> – {t.connectDoorWhy}
        </li>
        <li>
          <strong>{t.lookDoor}</strong> – {t.lookDoorWhy}
        </li>
      </ul>
    </div>
  );
}

export function Home() {
  const apps = useApps();
  const { route } = useLocation();
  const create = async (fields: Fields) => {
    const made = await api.createApp({
      body: { slug: fields.get('slug'), displayName: fields.get('displayName') },
    });
    apps.refetch();
    route(`/apps/${made.id}/connect`);
  };
  return (
    <Page title={t.title} question={t.question} help="console">
      <Loaded query={apps}>
        {(data) =>
          data.length === 0 ? (
            <ThreeDoors />
          ) : (
            <Table
              caption={t.question}
              rows={data}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              csvName="apps"
            />
          )
        }
      </Loaded>
      <h2>{t.add}</h2>
      <Form
        button={t.create}
        onSubmit={create}
        notAllowed={!mayEdit.value && texts.errors.editorsOnly}
      >
        <div class="row">
          <Field label={t.displayName} name="displayName" />
          <Field
            label={t.slug}
            name="slug"
            hint={t.slugRule}
            pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
          />
        </div>
      </Form>
    </Page>
  );
}
