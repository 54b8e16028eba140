/** Why data can't be taken in; the message is one line that says what to do, without a secret. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
