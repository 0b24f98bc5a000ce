/** The lake's engine would have to approximate: DuckDB answers. */
export class NotExpressible extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotExpressible';
  }
}
