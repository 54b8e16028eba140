import type { ServerEntry } from '../../shared/device-page.ts';
import type { PortalDevice } from './portal-device.ts';

/** The page at which a device's name and servers are entered, like the firmware's: plain, and in English. */
export function portalPage({ name, servers }: PortalDevice): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(name)}</title>
<style>body{font:16px system-ui;max-width:34rem;margin:2rem auto;padding:0 1rem}label{display:block;margin:.5rem 0}
input{width:100%;box-sizing:border-box;padding:.4rem}fieldset{margin:1rem 0}</style>
<h1>${escaped(name)}</h1>
<p>A simulated device.</p>
<form method="post" action="/config/save">
<label>Device name <input name="device_name" value="${escaped(name)}"></label>
${rows('External servers', 'https://…/v1/telemetry', 'ext', servers.external)}
${rows('Local servers', '192.168.1.5:8080', 'loc', servers.local)}
<button>Save</button>
</form>
</html>
`;
}

/** The entries and one empty row. */
function rows(title: string, example: string, kind: 'ext' | 'loc', entries: readonly ServerEntry[]): string {
  const fields = [...entries, { name: '', url: '' }].map(
    ({ name, url }, index) => `<label>Name <input name="${kind}_name_${index}" value="${escaped(name)}"></label>
<label>Address <input name="${kind}_url_${index}" value="${escaped(url)}" placeholder="${example}"></label>`,
  );
  return `<fieldset><legend>${title}</legend>
<input type="hidden" name="${kind}_count" value="${entries.length + 1}">
${fields.join('\n')}
</fieldset>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
