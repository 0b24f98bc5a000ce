import { AppError } from '../shared/errors.ts';

export class DamagedFile extends AppError {
  constructor(path: string, fault: string) {
    super('unavailable', `${path} is damaged: ${fault}.`, {
      hint: 'Nothing is answered from it; it is repaired from a copy where there is one.',
    });
  }
}
