import { Field, type Fields } from '../../parts/form.tsx';
import { useExperiments } from '../../state/experiments.ts';
import { experiments as t } from '../../texts/experiments.ts';
import type { Experiment } from './queries.ts';

export type Layer = NonNullable<Experiment['layer']>;

export function readLayer(fields: Fields): Layer | null {
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

export function LayerFields(props: { appId: string; experiment: Experiment | undefined }) {
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
          pattern="[a-z0-9][a-z0-9_\-]*"
          maxLength={40}
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
