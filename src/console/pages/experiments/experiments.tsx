import { useLocation, useRoute } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { type Fields, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { JsonField } from '../../parts/json-field.tsx';
import { ListCard } from '../../parts/list-card.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useExperiments } from '../../state/experiments.ts';
import { segmentName } from '../../state/segment-names.ts';
import { mayEdit, whyNotEdit } from '../../state/session.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type Draft, DraftForm } from './draft.tsx';
import { All } from './list.tsx';
import { type Onboarding, useOnboardings } from './queries.ts';

function Content({ onboarding }: { onboarding: Onboarding }) {
  const { appId, id, config, name } = onboarding;
  const save = async (fields: Fields) => {
    const changed: unknown = JSON.parse(fields.get('content'));
    await api.updateOnboarding({ id: appId, onboardingId: id, body: { config: changed } });
  };
  return (
    <details>
      <summary aria-label={`${t.edit}: ${name}`}>{t.edit}</summary>
      <Form button={t.saveContent} onSubmit={save} notAllowed={whyNotEdit.value} keep>
        <JsonField label={t.content} name="content" value={config} hint={t.contentNow} />
      </Form>
    </details>
  );
}

function Onboardings({ appId }: { appId: string }) {
  const onboardings = useOnboardings(appId);
  const makeDefault = (id: string) =>
    api.updateOnboarding({ id: appId, onboardingId: id, body: { isDefault: true } });
  const { data, error } = onboardings.value;
  if (!error && !data?.length) return null;
  return (
    <ListCard
      title={t.onboardings}
      csvName="onboardings"
      count={null}
      query={onboardings}
      keyOf={({ id }) => id}
      columns={[
        { label: t.name, show: ({ name }) => name },
        {
          label: t.shownTo,
          show: ({ id, name, isDefault }) =>
            isDefault ? (
              <strong>{t.isDefault}</strong>
            ) : (
              <Confirmed
                button={t.makeDefault}
                title={`${t.makeDefault}: ${name}`}
                loss={t.defaultLoss}
                name={name}
                notAllowed={whyNotEdit.value}
                onConfirm={() => makeDefault(id)}
              />
            ),
        },
        {
          label: t.content,
          show: (onboarding) => <Content onboarding={onboarding} />,
        },
      ]}
    />
  );
}

function New({ appId }: { appId: string }) {
  const { route, query } = useLocation();
  const onboardings = useOnboardings(appId);
  const of = query.segment ? `?segment=${query.segment}` : '';
  const create = async ({ layer, ...draft }: Draft) => {
    const body = { ...draft, ...(layer && { layer }) };
    const made = await api.createExperiment({ id: appId, body });
    route(`/apps/${appId}/experiments/${made.id}${of}`);
  };
  return (
    <>
      <p>{t.draftWhy}</p>
      {query.segment && <p class="notice">{t.forSegment(segmentName(query.segment))}</p>}
      <Loaded query={onboardings}>
        {(all) => <DraftForm appId={appId} onboardings={all} onSave={create} />}
      </Loaded>
    </>
  );
}

export function Experiments() {
  const appId = useRoute().params.id ?? '';
  const experiments = useExperiments(appId);
  const [adding, setAdding] = useSetting('add', '');
  const add = () => setAdding('experiment');
  return (
    <Page
      question={t.question}
      help="experiments"
      actions={
        <Button kind="primary" icon={icons.add} onClick={add} disabledWhy={whyNotEdit.value}>
          {t.add}
        </Button>
      }
      foot={[t.oneAtATime, t.resultMeaning]}
    >
      <All experiments={experiments} onAdd={add} />
      <Onboardings appId={appId} />
      <Dialog
        title={t.add}
        isWide
        isOpen={adding === 'experiment' && mayEdit.value}
        onClose={() => setAdding('')}
      >
        <New appId={appId} />
      </Dialog>
    </Page>
  );
}
