import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_SERVERS, type ServerEntry } from '../../shared/device-page.ts';
import type { PortalDevice } from './portal-device.ts';

const MAX_FORM_BYTES = 16 * 1024;

/** Serves the page of one device and the firmware's endpoints for it. Without authentication, as in the firmware. */
export class PortalServer {
  readonly #device: PortalDevice;
  readonly #server: http.Server;

  constructor(device: PortalDevice) {
    this.#device = device;
    this.#server = http.createServer((request, response) => void this.#answer(request, response));
  }

  /** Starts to listen. Resolves with the page's URL. Rejects if the address is not available. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => this.#server.once('error', reject).listen(port, host, resolve));
    const address = this.#server.address() as AddressInfo;
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://device');
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /')
      return void response.setHeader('content-type', 'text/html; charset=utf-8').end(portalPage(this.#device));
    if (route === 'GET /api/status') {
      const { address } = this.#server.address() as AddressInfo;
      return void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(this.#device.status(address)));
    }
    if (route !== 'POST /config/save') return void response.writeHead(404).end();
    const form = await formOf(request);
    if (form === null) return void response.writeHead(413).end();
    const name = form.get('device_name') ?? '';
    this.#device.configure(name, { external: listOf(form, 'ext'), local: listOf(form, 'loc') });
    response.writeHead(303, { location: '/' }).end();
  }
}

async function formOf(request: http.IncomingMessage): Promise<URLSearchParams | null> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_FORM_BYTES) return null;
  }
  return new URLSearchParams(text);
}

/** Reads the list of servers. Entries without an address are left out, such as the page's empty rows. */
function listOf(form: URLSearchParams, kind: 'ext' | 'loc'): ServerEntry[] {
  const count = Math.min(MAX_SERVERS, Number(form.get(`${kind}_count`)) || 0);
  return Array.from({ length: count }, (_, index) => ({
    name: form.get(`${kind}_name_${index}`) ?? '',
    url: (form.get(`${kind}_url_${index}`) ?? '').trim(),
  })).filter(({ url }) => url !== '');
}

/** Returns the page for entering a device's name and servers. Like the firmware's it is plain and in English. */
function portalPage({ name, servers }: PortalDevice): string {
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

/** Returns the entries and one empty row. */
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
