/** Who asks: their bucket by the state that a seed leaves. */
export type Asker = { id: string; bucket: (state: number) => number };

type Split<Of> = { answers: readonly Of[]; state: number; ends: readonly number[] };
type Placed<Of> = { answers: readonly Of[]; place: (asker: Asker) => number };

/** By person; the place is beyond the answers for who does not take part. */
export type Draw<Of> = Split<Of> | Placed<Of>;

export const NOBODY: Draw<never> = { answers: [], place: () => 0 };

export function placeOf(draw: Draw<unknown>, asker: Asker): number {
  if ('place' in draw) return draw.place(asker);
  const bucket = asker.bucket(draw.state);
  const place = draw.ends.findIndex((end) => bucket < end);
  return place === -1 ? draw.ends.length : place;
}

/** What the first of them says in which a person takes part, else `last`. */
export function firstOf<Of>(draws: readonly Draw<Of>[], last: Of): Draw<Of> {
  const answers = [...draws.flatMap((draw) => draw.answers), last];
  const [only] = draws;
  if (draws.length === 1 && only && 'ends' in only) return { ...only, answers };
  const place = (asker: Asker) => {
    let before = 0;
    for (const draw of draws) {
      const own = placeOf(draw, asker);
      if (own < draw.answers.length) return before + own;
      before += draw.answers.length;
    }
    return before;
  };
  return { answers, place };
}
