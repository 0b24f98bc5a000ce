import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { mayEdit } from '../../state/session.ts';
import { useSummary } from '../../state/summary.ts';
import { funnels as funnelsTexts } from '../../texts/funnels.ts';
import { texts } from '../../texts/index.ts';

const t = funnelsTexts.editor;
const MIN_STEPS = 2;
const MAX_STEPS = 12;

type Funnel = Awaited<ReturnType<typeof api.listFunnels>>[number];
type Draft = { key: number; event: string; label: string; prop: string; equals: string };

let lastKey = 0;
const draftOf = (step?: Funnel['steps'][number]): Draft => {
  lastKey += 1;
  const { event = '', label = '', where } = step ?? {};
  return { key: lastKey, event, label, prop: where?.prop ?? '', equals: where?.equals ?? '' };
};

const stepOf = ({ event, label, prop, equals }: Draft) => ({
  event,
  label: label || event,
  ...(prop && { where: { prop, equals } }),
});

/** Names of events that the app sends, and of the properties of one, to choose from. */
function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

function useProperties(appId: string, event: string, known: readonly string[]) {
  const isKnown = known.includes(event);
  const properties = useQuery(`properties ${appId} ${isKnown ? event : ''}`, async (signal) =>
    isKnown ? api.listEventProperties({ id: appId, query: { name: event } }, { signal }) : null,
  );
  return properties.value.data?.properties ?? [];
}

function Box(props: {
  label: string;
  value: string;
  list?: string;
  required?: boolean;
  onInput: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        maxLength={200}
        value={props.value}
        required={props.required}
        list={props.list}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function StepBoxes(props: {
  appId: string;
  step: Draft;
  names: readonly string[];
  change: (change: Partial<Draft>) => void;
}) {
  const { step, names, change } = props;
  const id = useId();
  const properties = useProperties(props.appId, step.event, names);
  const values = properties.find(({ name }) => name === step.prop)?.values ?? [];
  return (
    <div class="row">
      <Suggestions id={`${id}-names`} values={names} />
      <Suggestions id={`${id}-props`} values={properties.map(({ name }) => name)} />
      <Suggestions id={`${id}-values`} values={values.map(({ value }) => value)} />
      <Box
        label={t.event}
        value={step.event}
        list={`${id}-names`}
        required
        onInput={(event) => change({ event, ...(step.label === step.event && { label: event }) })}
      />
      <Box label={t.label} value={step.label} onInput={(label) => change({ label })} />
      <Box
        label={t.where}
        value={step.prop}
        list={`${id}-props`}
        onInput={(prop) => change({ prop })}
      />
      {step.prop && (
        <Box
          label={t.equals}
          value={step.equals}
          list={`${id}-values`}
          onInput={(equals) => change({ equals })}
        />
      )}
    </div>
  );
}

/** Makes a funnel, or changes one: a name and two to twelve steps, from names that the app sends. */
export function FunnelEditor(props: {
  appId: string;
  funnel: Funnel | undefined;
  onSaved: (id: string, hint: string | undefined) => void;
  onDeleted: () => void;
}) {
  const { appId, funnel } = props;
  const steps = useSignal<Draft[]>((funnel?.steps ?? [undefined, undefined]).map(draftOf));
  const summary = useSummary(appId);
  const names = summary.value.data?.names.map(({ name }) => name) ?? [];
  const change = (key: number, changed: Partial<Draft>) => {
    steps.value = steps.value.map((step) => (step.key === key ? { ...step, ...changed } : step));
  };
  const moveUp = (index: number) => {
    const moved = steps.value[index];
    if (moved) steps.value = steps.value.toSpliced(index, 1).toSpliced(index - 1, 0, moved);
  };
  const remove = (index: number) => {
    steps.value = steps.value.toSpliced(index, 1);
  };
  const notAllowed = !mayEdit.value && texts.errors.editorsOnly;
  return (
    <>
      <Form
        button={funnel ? t.save : t.create}
        notAllowed={notAllowed}
        onSubmit={async (fields) => {
          const body = {
            name: fields.get('name'),
            steps: steps.value.map(stepOf),
            ...(fields.get('isDefault') && { isDefault: true }),
          };
          const saved = funnel
            ? await api.updateFunnel({ id: appId, funnelId: funnel.id, body })
            : await api.createFunnel({ id: appId, body });
          props.onSaved(saved.id, saved.hint);
        }}
      >
        <Field label={t.name} name="name" value={funnel?.name ?? ''} autocomplete="off" />
        <ol class="numbered">
          {steps.value.map((step, index) => (
            <li key={step.key}>
              <StepBoxes
                appId={appId}
                step={step}
                names={names}
                change={(changed) => change(step.key, changed)}
              />
              <div class="row">
                {index > 0 && (
                  <button type="button" class="link" onClick={() => moveUp(index)}>
                    {t.up(index + 1)}
                  </button>
                )}
                {steps.value.length > MIN_STEPS && (
                  <button type="button" class="link" onClick={() => remove(index)}>
                    {t.remove(index + 1)}
                  </button>
                )}
              </div>
            </li>
          ))}
        </ol>
        {steps.value.length < MAX_STEPS && (
          <button
            type="button"
            onClick={() => {
              steps.value = [...steps.value, draftOf()];
            }}
          >
            {t.add}
          </button>
        )}
        <p>
          <label>
            <input type="checkbox" name="isDefault" defaultChecked={funnel?.isDefault ?? false} />{' '}
            {t.isDefault}
          </label>
        </p>
      </Form>
      {funnel && !funnel.isDefault && (
        <Confirmed
          button={t.delete}
          title={t.deleteTitle(funnel.name)}
          loss={t.deleteLoss}
          name={funnel.name}
          notAllowed={notAllowed}
          onConfirm={async () => {
            await api.deleteFunnel({ id: appId, funnelId: funnel.id });
            props.onDeleted();
          }}
        />
      )}
    </>
  );
}
