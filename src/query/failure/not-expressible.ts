export class NotExpressible extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotExpressible';
  }
}
