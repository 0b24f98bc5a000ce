const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

export function countryLabel(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : 'Unknown';
}
