import type { Question } from '../../../../clients/api/src/index.ts';
import { Checks, Field, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { Popover } from '../../parts/popover.tsx';
import { api } from '../../state/api.ts';
import { questionsOf } from '../../state/ask.ts';
import { askWords } from '../../state/ask-words.ts';
import { PINNED_VIEWS_MAX, usePins } from '../../state/pins.ts';
import { mayEdit, mayManage } from '../../state/session.ts';
import { texts } from '../../texts/index.ts';
import { questions as t } from '../../texts/questions.ts';
import type { QuestionSettings } from './settings.ts';

const NAME_MAX = 60;

function keptOf(settings: QuestionSettings): Question | undefined {
  const { ask, frame, range } = settings;
  const { preset, from, to } = range;
  const window = typeof preset === 'number' ? { days: preset } : { from, to };
  const [only, second] = questionsOf(ask, { ...frame, window });
  return second ? undefined : only;
}

export const pinQuery = (id: string): string => `${new URLSearchParams({ saved: id })}`;

export function Save({ settings }: { settings: QuestionSettings }) {
  const { appId, ask, opened, saved, change } = settings;
  const { pins = [], save } = usePins(appId);
  const question = keptOf(settings);
  const why = mayEdit.value ? (question ? undefined : t.onlyOne) : texts.errors.editorsOnly;
  const mayPin = mayManage.value && pins.length < PINNED_VIEWS_MAX && !opened;
  const keep = async (name: string, isPinned: boolean) => {
    if (!question) return;
    const body = { name, question };
    const kept = opened
      ? await api.updateQuestion({ id: appId, questionId: opened.id, body })
      : await api.saveQuestion({ id: appId, body });
    if (isPinned)
      await save([...pins, { title: name, page: 'questions', query: pinQuery(kept.id) }]);
    saved.refetch();
    change({ saved: kept.id });
  };
  return (
    <Popover
      label={t.save}
      class="save-view"
      placement="bottom-end"
      button={(trigger) => (
        <button {...trigger} class="plain" disabled={why !== undefined} title={why}>
          <icons.pin aria-hidden />
          {opened ? t.saveChange : t.save}
        </button>
      )}
    >
      {(close) => (
        <Form
          button={opened ? t.saveChange : t.save}
          onSubmit={async (fields) => {
            await keep(fields.get('name').trim(), fields.all('pin').length > 0);
            close();
          }}
        >
          <Field
            label={t.savedName}
            name="name"
            value={(opened?.name ?? askWords(ask)).slice(0, NAME_MAX)}
            maxLength={NAME_MAX}
            hint={t.saveHint}
            autocomplete="off"
          />
          {mayPin && (
            <Checks label={t.pin} name="pin" options={[['today', t.onToday]]} value={[]} />
          )}
        </Form>
      )}
    </Popover>
  );
}
