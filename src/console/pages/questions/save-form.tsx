import { Checks, Field, Form } from '../../parts/form.tsx';
import { api } from '../../state/api.ts';
import { askWords } from '../../state/ask-words.ts';
import { pinsAfter, savedIn } from '../../state/pinned-views.ts';
import { PINNED_VIEWS_MAX, usePins } from '../../state/pins.ts';
import { whyNotManage } from '../../state/session.ts';
import { pins as pinsTexts } from '../../texts/pins.ts';
import { questions as t } from '../../texts/questions.ts';
import { keptIn, NAME_MAX, pinOf } from './kept-question.ts';
import type { QuestionSettings } from './settings.ts';

export function SaveForm({ settings, close }: { settings: QuestionSettings; close: () => void }) {
  const { appId, ask, opened, change, door } = settings;
  const { pins, save } = usePins(appId);
  const { question, view, why = false } = keptIn(settings);
  const full = (pins?.length ?? 0) >= PINNED_VIEWS_MAX && pinsTexts.full(PINNED_VIEWS_MAX);
  const hasPin = opened !== undefined && pins?.some((pin) => savedIn(pin) === opened.id) === true;
  const mayPin = question && pins && !whyNotManage.value && (hasPin || !full);
  const keep = async (name: string, chosen: readonly string[]) => {
    if (view !== undefined) {
      return save((now) => pinsAfter(now, { title: name, page: door, query: view }, true));
    }
    if (!question) return;
    const isPinned = chosen.includes('today');
    const isAnother = chosen.includes('another');
    if (full && isPinned && isAnother) throw new Error(full);
    const body = { name, question };
    const kept =
      opened && !isAnother
        ? await api.updateQuestion({ id: appId, questionId: opened.id, body })
        : await api.saveQuestion({ id: appId, body });
    if (mayPin && (isPinned || hasPin)) {
      await save((now) => pinsAfter(now, pinOf(settings, kept), isPinned));
    }
    return change({ saved: kept.id });
  };
  const choices = [
    ...(mayPin ? [['today', t.onToday] as const] : []),
    ...(opened && question ? [['another', t.saveAs] as const] : []),
  ];
  return (
    <Form
      button={opened && question ? t.saveChange : t.save}
      notAllowed={view === undefined ? why : whyNotManage.value || full}
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
        hint={view === undefined ? t.saveHint : t.viewHint}
      />
      {choices.length > 0 && (
        <Checks label={t.how} name="how" options={choices} value={hasPin ? ['today'] : []} />
      )}
    </Form>
  );
}
