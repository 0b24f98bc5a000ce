const MAX_LENGTH = 40;

/** The short name that a name suggests, as addresses take it: "Prüf & Pack" is "pruf-pack". */
export const shortNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
