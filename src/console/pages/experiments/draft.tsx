import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { useExperiments } from '../../state/experiments.ts';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type ArmDraft, useArms } from './arms.tsx';
import { useMeasured } from './measured.tsx';
import { type Experiment, isOfFlags, type Onboarding } from './queries.ts';

type Layer = NonNullable<Experiment['layer']>;

function readLayer(fields: Fields): Layer | null {
  const name = fields.get('layer').trim();
  if (name === '') return null;
  const [fromPercent, toPercent] = ['fromPercent', 'toPercent'].map((key) => fields.get(key));
  return { name, fromPercent: Number(fromPercent), toPercent: Number(toPercent) };
}

function InUse({ appId, except }: { appId: string; except: string | undefined }) {
  const others = (useExperiments(appId).value.data ?? []).filter(
    ({ id, status }) => id !== except && status !== 'stopped',
  );
  const parts = others.flatMap(({ id, name, layer }) =>
    layer ? [{ id, text: t.part(layer.name, layer.fromPercent, layer.toPercent, name) }] : [],
  );
  if (parts.length === 0) return null;
  return (
    <>
      <p class="quiet">{t.layers}:</p>
      <ul class="sentences">
        {parts.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </>
  );
}

function LayerFields(props: { appId: string; experiment: Experiment | undefined }) {
  const { appId, experiment } = props;
  const layer = experiment?.layer;
  const percent = { type: 'number', min: 0, max: 100, step: 0.01 } as const;
  return (
    <fieldset>
      <legend>{t.exclusive}</legend>
      <div class="row top">
        <Field
          label={t.layer}
          name="layer"
          value={layer?.name ?? ''}
          hint={t.layerHint}
          rule="layerName"
          optional
        />
        <Field
          label={t.fromPercent}
          name="fromPercent"
          value={String(layer?.fromPercent ?? 0)}
          {...percent}
        />
        <Field
          label={t.toPercent}
          name="toPercent"
          value={String(layer?.toPercent ?? 50)}
          {...percent}
        />
      </div>
      <InUse appId={appId} except={experiment?.id} />
    </fieldset>
  );
}

const DIFFERS = [
  ['onboarding', t.differs.onboarding],
  ['flags', t.differs.flags],
] as const;

export type Draft = {
  name: string;
  arms: ArmDraft[];
  layer: Layer | null;
  measurement: ReturnType<ReturnType<typeof useMeasured>['read']>;
};

export function DraftForm(props: {
  appId: string;
  experiment?: Experiment;
  onboardings: readonly Onboarding[];
  onSave: (draft: Draft) => Promise<unknown>;
}) {
  const { appId, experiment, onboardings } = props;
  const isOfSegment = useLocation().query.segment !== undefined;
  const differ = useSignal<keyof typeof t.differs>(isOfSegment ? 'flags' : 'onboarding');
  const ofFlags = experiment ? isOfFlags(experiment) : differ.value === 'flags';
  const arms = useArms(appId, { arms: experiment?.arms ?? [], ofFlags, onboardings });
  const measured = useMeasured(appId, experiment?.measurement ?? {});
  const save = async (fields: Fields) =>
    props.onSave({
      name: fields.get('name'),
      arms: await arms.read(fields),
      layer: ofFlags ? readLayer(fields) : null,
      measurement: measured.read(fields),
    });
  return (
    <Form
      button={experiment ? t.save : t.create}
      onSubmit={save}
      notAllowed={whyNotEdit.value}
      keep
    >
      <Field label={t.name} name="name" value={experiment?.name ?? ''} maxLength={80} />
      {!experiment && (
        <Choice
          label={t.differ}
          name="differ"
          options={DIFFERS}
          value={differ.value}
          onChange={into(differ)}
        />
      )}
      {arms.fields}
      {ofFlags && <LayerFields appId={appId} experiment={experiment} />}
      {measured.fields}
    </Form>
  );
}
