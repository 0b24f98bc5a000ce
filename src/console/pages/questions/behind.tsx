import { useEffect, useRef } from 'preact/hooks';
import { Behind } from '../../parts/behind.tsx';
import { api } from '../../state/api.ts';
import { type Picked, pickedQuestion } from '../../state/ask-people.ts';
import type { QuestionSettings } from './settings.ts';

export type OnPick = (picked: Picked) => void;

export function PeopleBehind(props: {
  settings: QuestionSettings;
  picked: Picked;
  count?: number | null;
  onClose: () => void;
}) {
  const { settings, picked, count, onClose } = props;
  const { appId, ask, frame } = settings;
  const place = useRef<HTMLDivElement>(null);
  const question = pickedQuestion(ask, frame, picked);
  const body = question && { question, figure: picked.figure };
  const key = JSON.stringify(body);
  // It would open out of sight.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [key]);
  if (!body) return null;
  return (
    <div ref={place}>
      <Behind
        appId={appId}
        title={picked.title}
        {...(typeof count === 'number' && { count })}
        question={`${appId} ${key}`}
        ask={(page, options) =>
          api.listQuestionPeople({ id: appId, body: { ...body, ...page } }, options)
        }
        figure={body}
        onClose={onClose}
      />
    </div>
  );
}
