import { once } from '../common/once.ts';
import type { UiFiles } from '../owner/page/ui-files.ts';

/** Tells the page that it comes through the door: it is opened by a pairing, not by the machine's own link. */
const MARK = '<meta name="wellhouse-door" content="1">';

/** The files of the owner's view as the door serves them. */
export function doorPage(ownFiles: UiFiles): UiFiles {
  return once(() => withMark(ownFiles()));
}

function withMark(files: ReturnType<UiFiles>): ReturnType<UiFiles> {
  const index = files.get('index.html')!;
  const html = index.bytes.toString('utf8').replace('<head>', () => `<head>\n    ${MARK}`);
  return new Map([...files, ['index.html', { ...index, bytes: Buffer.from(html) }]]);
}
