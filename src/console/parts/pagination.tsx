import type { Signal } from '@preact/signals';
import { into } from '../state/signals.ts';
import { texts as all } from '../texts/index.ts';

type CursorProps = { cursor: Signal<string>; next: string | null };

export const CursorPagination = ({ cursor, next }: CursorProps) => (
  <Pagination cursor={cursor.value} next={next} texts={all.pagination} onTurn={into(cursor)} />
);

export function Pagination(props: {
  cursor: string;
  next: string | null;
  texts: { first: string; next: string };
  onTurn: (cursor: string) => void;
}) {
  const { cursor, next, texts, onTurn } = props;
  return (
    <>
      {cursor && (
        <button type="button" onClick={() => onTurn('')}>
          {texts.first}
        </button>
      )}
      {next && (
        <button type="button" onClick={() => onTurn(next)}>
          {texts.next}
        </button>
      )}
    </>
  );
}
