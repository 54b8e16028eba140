/**
 * A parser of server-sent events, fed with the stream's text as it comes, in any pieces. Calls back with each event's
 * name and data; comments and other fields are passed over (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export function createSseParser(onMessage: (event: string, data: string) => void): (text: string) => void {
  let rest = '';
  let event = '';
  let data: string[] = [];

  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) onMessage(event === '' ? 'message' : event, data.join('\n'));
      event = '';
      data = [];
      return;
    }
    const colon = text.indexOf(':');
    const name = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  };

  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const each of lines) line(each.endsWith('\r') ? each.slice(0, -1) : each);
  };
}
