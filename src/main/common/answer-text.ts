import type { IncomingMessage } from 'node:http';

/** The text of an answer. Breaks it off beyond a bound, and rejects with what `tooLong` gives. */
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
