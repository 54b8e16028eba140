import type { Language } from '../../../shared/texts/languages.ts';
import type { DigestPart, DigestWords } from './digest-words.ts';

/** The room for the line that says how many places are left out. */
const MORE_BYTES = 100;
/** Colours that are readable on white and on black, so that a mail needs no style for dark mode. */
const COLOURS = { well: '#2f9e62', notWell: '#e8590c', unknown: '#868e96' } as const;

/** Returns a summary as plain text of at most so many bytes. Parts that do not fit are counted. */
export function digestText({ sentence, head, parts, more }: DigestWords, mostBytes: number): string {
  let text = [sentence, ...head].join('\n');
  for (const [index, part] of parts.entries()) {
    const next = `${text}\n\n${partText(part)}`;
    if (Buffer.byteLength(next) + MORE_BYTES > mostBytes) return withLine(text, more(parts.length - index));
    text = next;
  }
  return withLine(text, more(0));
}

function withLine(text: string, line: string): string {
  return line === '' ? text : `${text}\n\n${line}`;
}

function partText({ group, name, state, lines }: DigestPart): string {
  return [...(group === null ? [] : [`${group}:`]), headingOf(name, state), ...lines.map((line) => `· ${line}`)].join(
    '\n',
  );
}

function headingOf(name: string, state: string): string {
  return state === '' ? name : `${name}: ${state}`;
}

/**
 * Returns a summary as an HTML page for mail: without style sheets, scripts and remote contents, and in the reader's
 * own colours.
 */
export function digestHtml(
  { title, sentence, head, parts, more }: DigestWords,
  language: Language,
  link: string | null,
): string {
  const rest = more(0);
  return [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(title)}</title></head>`,
    '<body style="margin:0;padding:16px;color-scheme:light dark;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif">',
    '<div style="max-width:600px;margin:0 auto">',
    `<h1 style="margin:0 0 4px;font-size:22px;line-height:1.3">${escaped(sentence)}</h1>`,
    ...head.map((line) => `<p style="margin:0;font-size:14px">${escaped(line)}</p>`),
    ...parts.map(partHtml),
    ...(rest === '' ? [] : [`<p style="margin:16px 0 0">${escaped(rest)}</p>`]),
    ...(link === null
      ? []
      : [`<p style="margin:20px 0 0"><a href="${escaped(link)}" style="color:inherit">${escaped(link)}</a></p>`]),
    '</div></body></html>',
  ].join('\n');
}

function partHtml({ group, name, state, isWell, lines }: DigestPart): string {
  const colour = COLOURS[isWell === null ? 'unknown' : isWell ? 'well' : 'notWell'];
  const items = lines.map((line) => `<li style="margin:0">${escaped(line)}</li>`).join('');
  return [
    ...(group === null ? [] : [`<h2 style="margin:20px 0 0;font-size:18px">${escaped(group)}</h2>`]),
    `<div style="margin:12px 0 0;padding:0 0 0 12px;border-left:4px solid ${colour}">`,
    `<h3 style="margin:0;font-size:16px">${escaped(headingOf(name, state))}</h3>`,
    ...(items === '' ? [] : [`<ul style="margin:0;padding:0 0 0 20px;overflow-wrap:anywhere">${items}</ul>`]),
    '</div>',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
