const CODE = /^[a-z]{2}$/i;

/** `de` and `De` are Germany as `DE` is; what is no code of two letters stays as it is. */
export const foldCountry = (country: string): string =>
  CODE.test(country) ? country.toUpperCase() : country;
