import type { ComponentChildren } from 'preact';
import { fieldWord, saidWords } from '../../state/condition-words.ts';
import {
  countOf,
  isGroup,
  MAX_CONDITIONS,
  type Part,
  type Said,
  type Where,
  type Word,
} from '../../state/conditions.ts';
import type { Sent } from '../../state/sent.ts';
import { asking as t } from '../../texts/asking.ts';
import { AddChip, Chip } from '../chips/chip.tsx';
import { picking } from '../chips/opened.tsx';
import * as icons from '../icons.ts';

export type FaultOf = (place: string) => string | undefined;

const other = (word: Word): Word => (word === 'all' ? 'any' : 'all');

export const WithFault = (props: { fault: string | undefined; children: ComponentChildren }) => (
  <span class={props.fault ? 'faulty' : 'sound'}>
    {props.children}
    {props.fault && (
      <span class="fault" role="alert">
        {props.fault}
      </span>
    )}
  </span>
);

function ConditionChip(props: {
  sent: Sent;
  said: Said;
  fault: string | undefined;
  onChange: (said: Said | undefined) => void;
}) {
  const { sent, said, fault, onChange } = props;
  return (
    <WithFault fault={fault}>
      <Chip
        name={t.condition}
        word={fieldWord(said.field)}
        value={saidWords(said)}
        onRemove={() => onChange(undefined)}
      >
        {picking(
          ({ ConditionPicker }, pick) => (
            <ConditionPicker {...{ sent, of: said }} onPick={pick} />
          ),
          onChange,
        )}
      </Chip>
    </WithFault>
  );
}

function AddCondition(props: {
  sent: Sent;
  text: string;
  name: string;
  isFull: boolean;
  onAdd: (said: Said) => void;
}) {
  return (
    <AddChip
      text={props.text}
      name={props.name}
      icon={icons.filter}
      disabledWhy={props.isFull ? t.conditionsMax(MAX_CONDITIONS) : undefined}
    >
      {picking(
        ({ ConditionPicker }, pick) => (
          <ConditionPicker sent={props.sent} onPick={pick} />
        ),
        props.onAdd,
      )}
    </AddChip>
  );
}

const Joint = ({ word, onToggle }: { word: Word; onToggle: () => void }) => (
  <button type="button" class="joint" title={t.toOther[word]} onClick={onToggle}>
    {t.joined[word]}
    <span class="skip">: {t.toOther[word]}</span>
  </button>
);

type ListProps<T> = {
  parts: readonly T[];
  word: Word;
  setWord?: ((word: Word) => void) | undefined;
  children: (part: T, index: number) => ComponentChildren;
};

function Joined<T>({ parts, word, setWord, children }: ListProps<T>) {
  return (
    <>
      {parts.map((part, index) => (
        <span class="joined" key={index}>
          {index > 0 && setWord && <Joint word={word} onToggle={() => setWord(other(word))} />}
          {children(part, index)}
        </span>
      ))}
    </>
  );
}

const changed = <T,>(list: readonly T[], index: number, next: T | undefined): T[] =>
  next === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, next);

type WhereProps = {
  sent: Sent;
  where: Where;
  onChange: (where: Where) => void;
  place: string;
  faultOf: FaultOf;
};

export function WhereChips({ sent, where, onChange, place, faultOf }: WhereProps) {
  const { word, parts } = where;
  const isFull = countOf(where) >= MAX_CONDITIONS;
  const setPart = (index: number, next: Part | undefined) =>
    onChange({ word, parts: changed(parts, index, next) });
  const setWord = sent.isPlain ? undefined : (next: Word) => onChange({ word: next, parts });
  return (
    <>
      {parts.length > 0 && !sent.isPlain && <span class="ask-word">{t.where}</span>}
      <Joined parts={parts} word={word} setWord={setWord}>
        {(part, index) => {
          const at = `${place}.${word}[${index}]`;
          if (!isGroup(part)) {
            return (
              <ConditionChip
                {...{ sent, said: part, fault: faultOf(at) }}
                onChange={(next) => setPart(index, next)}
              />
            );
          }
          const setGroup = (said: readonly Said[], inner = part.word) =>
            setPart(index, said.length > 0 ? { word: inner, said } : undefined);
          return (
            <span class="ask-group">
              <Joined
                parts={part.said}
                word={part.word}
                setWord={(inner) => setGroup(part.said, inner)}
              >
                {(said, inside) => (
                  <ConditionChip
                    {...{ sent, said, fault: faultOf(`${at}.${part.word}[${inside}]`) }}
                    onChange={(next) => setGroup(changed(part.said, inside, next))}
                  />
                )}
              </Joined>
              <AddCondition
                {...{ sent, isFull, text: t.joined[part.word], name: t.another[part.word] }}
                onAdd={(said) => setGroup([...part.said, said])}
              />
            </span>
          );
        }}
      </Joined>
      <AddCondition
        {...{ sent, isFull, text: t.condition, name: t.addCondition }}
        onAdd={(said) => onChange({ word, parts: [...parts, said] })}
      />
      {parts.length > 0 && !sent.isPlain && (
        <AddCondition
          {...{ sent, isFull, text: t.group, name: t.addGroup }}
          onAdd={(said) =>
            onChange({ word, parts: [...parts, { word: other(word), said: [said] }] })
          }
        />
      )}
    </>
  );
}
