/** Buttons to the next page of a list, and back to its first one. An empty cursor is the first page. */
export function Turn(props: {
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
