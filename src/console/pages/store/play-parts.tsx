import { useId } from 'preact/hooks';
import { playStore as t } from '../../texts/play-store.ts';

const USERS_AT = 'https://play.google.com/console/developers/users-and-permissions';

export type KeyFile = { name: string; text: string };

export function FileField(props: { file: KeyFile | null; onChoose: (file: KeyFile) => void }) {
  const { file, onChoose } = props;
  const id = useId();
  const choose = async (event: Event) => {
    const { target } = event;
    const chosen = target instanceof HTMLInputElement && target.files?.[0];
    if (chosen) onChoose({ name: chosen.name, text: await chosen.text() });
  };
  return (
    <div class="field">
      <label for={id}>{t.file}</label>
      <input id={id} type="file" accept=".json,application/json" onChange={choose} />
      {file && (
        <small>
          {t.chosen} {file.name}
        </small>
      )}
    </div>
  );
}

export function PlaySteps({ steps }: { steps: readonly string[] }) {
  return (
    <>
      <ol class="how-to">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={USERS_AT} target="_blank" rel="noreferrer">
          {t.open}
        </a>
      </p>
    </>
  );
}
