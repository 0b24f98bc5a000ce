import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { SqlAnswer, SqlQuery } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { ErrorNotice, Skeleton } from '../../parts/states.tsx';
import { useAddress } from '../../state/address.ts';
import { api, type RequestError, toRequestError } from '../../state/api.ts';
import { mayEdit, whyNotEdit } from '../../state/session.ts';
import { parametersIn, toTyped, toValue } from '../../state/sql-text.ts';
import { useApi } from '../../state/use-api.ts';
import { sql as t } from '../../texts/sql.ts';
import { Answered } from './answer.tsx';
import { Dictionary } from './dictionary.tsx';
import { ChooseSaved, RemoveSaved, SaveSql } from './saved.tsx';

const ROWS = 10;
const MAX_TEXT = 20_000;

type Typed = Readonly<Record<string, string>>;

const typedOf = ({ parameters }: SqlQuery): Typed =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, toTyped(value)]));

function Values({ names, typed }: { names: readonly string[]; typed: Signal<Typed> }) {
  const id = useId();
  if (names.length === 0) return null;
  return (
    <fieldset class="field row">
      <legend>{t.values}</legend>
      {names.map((name) => (
        <label key={name} for={`${id}-${name}`}>
          <code>${name}</code>{' '}
          <input
            id={`${id}-${name}`}
            aria-label={t.value(name)}
            value={typed.value[name] ?? ''}
            maxLength={254}
            autocomplete="off"
            onInput={({ currentTarget }) => {
              typed.value = { ...typed.value, [name]: currentTarget.value };
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}

function useAsking(text: Signal<string>, typed: Signal<Typed>) {
  const answer = useSignal<SqlAnswer | undefined>(undefined);
  const error = useSignal<RequestError | undefined>(undefined);
  const running = useSignal<AbortController | undefined>(undefined);
  const parameters = () =>
    Object.fromEntries(
      parametersIn(text.value).map((name) => [name, toValue(typed.value[name] ?? '')]),
    );
  const ask = async () => {
    running.value?.abort();
    const asked = new AbortController();
    running.value = asked;
    error.value = undefined;
    try {
      const body = { sql: text.value, parameters: parameters() };
      answer.value = await api.askSql({ body }, { signal: asked.signal });
    } catch (caught) {
      if (asked.signal.aborted) return;
      answer.value = undefined;
      error.value = toRequestError(caught);
    }
    running.value = undefined;
  };
  useEffect(() => () => running.peek()?.abort(), [running]);
  return { answer, error, isRunning: running.value !== undefined, ask, parameters };
}

function useSaved(text: Signal<string>, typed: Signal<Typed>) {
  const { query, change } = useAddress();
  const saved = useApi(api.listSqlQueries, undefined, { enabled: mayEdit.value });
  const all = saved.value.data ?? [];
  const opened = all.find(({ id }) => id === query.query);
  const openedId = opened?.id;
  useEffect(() => {
    if (!opened) return;
    text.value = opened.sql;
    typed.value = typedOf(opened);
  }, [openedId]);
  const open = (id: string | undefined) => change({ query: id });
  return { all, opened, open };
}

function Asker() {
  const text = useSignal(t.begin);
  const typed = useSignal<Typed>({});
  const { answer, error, isRunning, ask, parameters } = useAsking(text, typed);
  const { all, opened, open } = useSaved(text, typed);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const add = (name: string) => {
    field.current?.focus();
    field.current?.setRangeText(
      name,
      field.current.selectionStart,
      field.current.selectionEnd,
      'end',
    );
    text.value = field.current?.value ?? text.value;
  };
  return (
    <div class="grid eight-four">
      <div class="grid">
        <Card
          title={t.text}
          actions={
            <>
              <ChooseSaved {...{ all, opened }} onOpen={(one) => open(one?.id)} />
              <SaveSql {...{ opened, parameters: parameters(), text: text.value }} onSaved={open} />
              {opened && <RemoveSaved opened={opened} onDone={() => open(undefined)} />}
            </>
          }
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void ask();
            }}
          >
            <div class="field">
              <label for={id} class="skip">
                {t.text}
              </label>
              <textarea
                ref={field}
                id={id}
                rows={ROWS}
                required
                spellcheck={false}
                maxLength={MAX_TEXT}
                value={text.value}
                aria-describedby={`${id}-hint`}
                onInput={({ currentTarget }) => {
                  text.value = currentTarget.value;
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void ask();
                }}
              />
              <small id={`${id}-hint`}>{t.hint}</small>
            </div>
            <Values names={parametersIn(text.value)} typed={typed} />
            <Button type="submit" kind="primary" icon={icons.send} busy={isRunning}>
              {isRunning ? t.asking : t.ask}
            </Button>
          </form>
        </Card>
        {error.value && <ErrorNotice error={error.value} />}
        {isRunning && <Skeleton />}
        {!isRunning && answer.value && <Answered answer={answer.value} />}
      </div>
      <Dictionary onAdd={add} />
    </div>
  );
}

export function Sql() {
  return (
    <Page question={t.question} help="sql" notAllowed={whyNotEdit.value}>
      <Asker />
    </Page>
  );
}
