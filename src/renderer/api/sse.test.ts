import { describe, expect, it } from 'vitest';
import { createSseParser } from './sse.ts';

function parsed(pieces: readonly string[]): string[] {
  const messages: string[] = [];
  const parse = createSseParser((event, data) => messages.push(`${event} ${data}`));
  for (const piece of pieces) parse(piece);
  return messages;
}

describe('createSseParser', () => {
  const stream = ': keep-alive\n\nevent: readings\ndata: {"devices":[]}\n\nevent: devices\r\ndata: {}\r\n\r\n';

  it('reads events and passes over comments', () => {
    expect(parsed([stream])).toEqual(['readings {"devices":[]}', 'devices {}']);
  });

  it('reads the same from any pieces', () => {
    for (let size = 1; size < stream.length; size++) {
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        stream.slice(index * size, (index + 1) * size),
      );
      expect(parsed(pieces), `pieces of ${size}`).toEqual(['readings {"devices":[]}', 'devices {}']);
    }
  });

  it('joins lines of data, and gives nothing of an event that has not ended', () => {
    expect(parsed(['data: a\ndata: b\n\n', 'event: devices\ndata: {}\n'])).toEqual(['message a\nb']);
  });
});
