import { useLocation } from 'preact-iso';
import { ago, exactNumber, shortNumber } from '../../format.ts';
import { Field, type Fields, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Answered } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useApps } from '../../state/apps.ts';
import { useQuestion } from '../../state/question.ts';
import { mayEdit } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';

const t = texts.home;

/** What one app's events say; asked for each app by itself, so that a slow one delays no other. */
function EventFigure({ appId, figure }: { appId: string; figure: 'people' | 'events' | 'last' }) {
  const summary = useQuestion(`summary ${appId} 28`, (signal) =>
    api.getEventSummary({ id: appId, query: { days: 28 } }, { signal }),
  );
  const { answer, fault } = summary.value;
  if (fault && !answer) return <span title={fault.message}>–</span>;
  if (!answer) return <span class="quiet">…</span>;
  if (figure === 'last') return <>{answer.lastEventAt ? ago(answer.lastEventAt) : t.never}</>;
  return <span title={exactNumber(answer[figure])}>{shortNumber(answer[figure])}</span>;
}

type App = Awaited<ReturnType<typeof api.listApps>>[number];

const COLUMNS: readonly Column<App>[] = [
  {
    label: t.app,
    show: (app) => <a href={`/apps/${app.id}/today`}>{app.displayName}</a>,
    plain: (app) => app.displayName,
  },
  { label: t.status, show: (app) => app.status, plain: (app) => app.status },
  {
    label: t.store,
    show: (app) => app.store?.state.replaceAll('_', ' ') ?? '–',
    plain: (app) => app.store?.state ?? null,
  },
  { label: t.people, number: true, show: (app) => <EventFigure appId={app.id} figure="people" /> },
  { label: t.events, number: true, show: (app) => <EventFigure appId={app.id} figure="events" /> },
  { label: t.last, show: (app) => <EventFigure appId={app.id} figure="last" /> },
];

function ThreeDoors() {
  return (
    <div class="notice">
      <p>{t.empty}</p>
      <ul>
        <li>
          <a href="/sales">{t.storeDoor}</a> – {t.storeDoorWhy}
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
    apps.again();
    route(`/apps/${made.id}/connect`);
  };
  return (
    <Page title={t.title} question={t.question} help="console">
      <Answered asked={apps.value} again={apps.again}>
        {(answer) =>
          answer.length === 0 ? (
            <ThreeDoors />
          ) : (
            <Table
              caption={t.question}
              rows={answer}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              csvName="apps"
            />
          )
        }
      </Answered>
      <h2>{t.add}</h2>
      <Form
        button={t.create}
        onSubmit={create}
        notAllowed={!mayEdit.value && texts.faults.editorsOnly}
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
