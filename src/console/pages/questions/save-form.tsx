import { Checks, Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { askWords } from '../../state/ask-words.ts';
import { type PinnedView, PINNED_VIEWS_MAX, savedIn, usePins } from '../../state/pins.ts';
import { whyNotManage } from '../../state/session.ts';
import { questions as t } from '../../texts/questions.ts';
import { isRatio, questionIn } from './kept-question.ts';
import type { QuestionSettings } from './settings.ts';

const NAME_MAX = 60;

/** With how it is drawn, which no question says. */
export function pinOf(
  { door, query: { draw, compare } }: Pick<QuestionSettings, 'door' | 'query'>,
  { id, name }: { id: string; name: string },
): PinnedView {
  const shown = { saved: id, ...(draw && { draw }), ...(compare && { compare }) };
  return { title: name.slice(0, NAME_MAX), page: door, query: `${new URLSearchParams(shown)}` };
}

export function SaveForm({ settings, close }: { settings: QuestionSettings; close: () => void }) {
  const { appId, ask, opened, saved, change, door } = settings;
  const { pins = [], save } = usePins(appId);
  const question = questionIn(settings);
  const isView = isRatio(settings);
  const keep = async (name: string, chosen: readonly string[]) => {
    const isPinned = isView || chosen.includes('today');
    if (!question) {
      const search = `${new URLSearchParams(location.search)}`;
      return save([...pins, { title: name, page: door, query: search }]);
    }
    const body = { name, question };
    const kept =
      opened && !chosen.includes('another')
        ? await api.updateQuestion({ id: appId, questionId: opened.id, body })
        : await api.saveQuestion({ id: appId, body });
    const others = pins.filter((pin) => savedIn(pin) !== kept.id);
    if (isPinned || others.length < pins.length) {
      await save(isPinned ? [...others, pinOf(settings, kept)] : others);
    }
    saved.refetch();
    return change({ saved: kept.id });
  };
  const hasPin = opened !== undefined && pins.some((pin) => savedIn(pin) === opened.id);
  const mayPin = !whyNotManage.value && (hasPin || pins.length < PINNED_VIEWS_MAX);
  const choices = [
    ...(mayPin && !isView ? [['today', t.onToday] as const] : []),
    ...(opened ? [['another', t.saveAs] as const] : []),
  ];
  return (
    <Form
      button={opened ? t.saveChange : t.save}
      notAllowed={!question && !isView && t.onlyOne}
      onSubmit={async (fields) => {
        await keep(fields.get('name').trim(), fields.all('how'));
        close();
      }}
    >
      <Field
        label={t.savedName}
        name="name"
        value={(opened?.name ?? askWords(ask)).slice(0, NAME_MAX)}
        maxLength={NAME_MAX}
        hint={isView ? t.viewHint : t.saveHint}
        autocomplete="off"
      />
      {choices.length > 0 && (
        <Checks label={t.how} name="how" options={choices} value={hasPin ? ['today'] : []} />
      )}
    </Form>
  );
}
