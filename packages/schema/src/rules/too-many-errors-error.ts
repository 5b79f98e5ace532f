/** So much is wrong with an object that it would take too long to tell. */
export class TooManyErrorsError extends Error {
  override readonly name: string = "TooManyErrorsError";
  readonly code = "too-many-errors";

  constructor(errors: number, characters: number) {
    super(`found ${errors} errors of ${characters} characters in one object, expected fewer`);
  }
}
