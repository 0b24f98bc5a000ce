export function wantsCsv(request: Request): boolean {
  const accept = request.headers.get('accept') ?? '';
  const csv = accept.indexOf('text/csv');
  const json = accept.indexOf('application/json');
  return csv !== -1 && (json === -1 || csv < json);
}
