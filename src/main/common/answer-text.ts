import type { IncomingMessage } from 'node:http';

/**
 * Returns the text of an answer. If it is longer than `maxBytes`, aborts the answer and rejects with the error of
 * `tooLong`.
 */
export async function answerText(response: IncomingMessage, maxBytes: number, tooLong: () => Error): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw tooLong();
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
