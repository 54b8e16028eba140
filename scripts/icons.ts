import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findChromium } from '../e2e/support/find-chromium.ts';

// Creates all icons of the packages and of the tray from resources/icon.svg, drawn by Chromium.

const FOLDER = 'resources/icons';
const TRAY_FOLDER = 'resources/tray';
/** Linux needs a folder of sizes. They include those of an .ico. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256];
/** The types of an .icns, each with the size of its PNG in pixels. */
const ICNS_TYPES = { icp4: 16, icp5: 32, icp6: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024 } as const;
/** A tray icon is 16 points high. Electron uses the `@2x` file on a high-resolution screen. */
const TRAY = { 'tray.png': 16, 'tray@2x.png': 32 } as const;

/**
 * macOS accepts only black and transparency, and draws the image in the colour of its menu bar. It recognises such a
 * file by its name.
 */
const TRAY_TEMPLATE = { 'trayTemplate.png': 16, 'trayTemplate@2x.png': 32 } as const;

/** The icons with a badge, shown while an alert fires. */
const TRAY_ALERT = { 'trayAlert.png': 16, 'trayAlert@2x.png': 32 } as const;
const TRAY_ALERT_TEMPLATE = { 'trayAlertTemplate.png': 16, 'trayAlertTemplate@2x.png': 32 } as const;

const svg = readFileSync('resources/icon.svg', 'utf8');
const browser = await chromium.launch({ executablePath: findChromium().path });
const page = await browser.newPage();

async function draw(size: number, image = svg): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${image}`);
  return page.screenshot({ omitBackground: true });
}

for (const folder of [FOLDER, TRAY_FOLDER]) mkdirSync(folder, { recursive: true });
const drawn = new Map<number, Buffer>();
for (const size of SIZES) drawn.set(size, await draw(size));
for (const [name, size] of Object.entries(TRAY_TEMPLATE)) {
  writeFileSync(`${TRAY_FOLDER}/${name}`, await draw(size, templateOf(svg)));
}
for (const [name, size] of Object.entries(TRAY_ALERT)) {
  writeFileSync(`${TRAY_FOLDER}/${name}`, await draw(size, badged(svg, { gap: 'white', dot: '#c21f1f' })));
}
for (const [name, size] of Object.entries(TRAY_ALERT_TEMPLATE)) {
  writeFileSync(`${TRAY_FOLDER}/${name}`, await draw(size, templateOf(svg, true)));
}
await browser.close();

for (const [size, png] of drawn) writeFileSync(`${FOLDER}/${size}x${size}.png`, png);
for (const [name, size] of Object.entries(TRAY)) writeFileSync(`${TRAY_FOLDER}/${name}`, drawn.get(size)!);
writeFileSync(`${FOLDER}/icon.ico`, ico(ICO_SIZES));
writeFileSync(`${FOLDER}/icon.icns`, icns());

/**
 * Returns the light parts of the icon in black on a transparent background, without the margin, which a menu bar adds
 * itself.
 */
function templateOf(icon: string, hasBadge = false): string {
  const shape = icon
    .replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')
    .replaceAll('#006c7d', 'black')
    .replaceAll('#e8f6f8', 'white');
  const cut = hasBadge ? '<circle cx="22" cy="9.5" r="6" fill="black"/>' : '';
  const dot = hasBadge ? '<circle cx="22" cy="9.5" r="4"/>' : '';
  const mask = `<mask id="shape">${shape}${cut}</mask><rect width="32" height="32" mask="url(#shape)"/>${dot}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="6 5.5 20 20">${mask}</svg>`;
}

/** Returns the icon with a dot in its corner. */
function badged(icon: string, { gap, dot }: { gap: string; dot: string }): string {
  const circles = `<circle cx="23.5" cy="8.5" r="8.5" fill="${gap}"/><circle cx="23.5" cy="8.5" r="7" fill="${dot}"/>`;
  return icon.replace(/<\/svg>\s*$/, `${circles}</svg>`);
}

/** Returns an .ico with PNG images: a directory entry of 16 bytes for each, then the files. */
function ico(sizes: readonly number[]): Buffer {
  const header = Buffer.alloc(6 + 16 * sizes.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(sizes.length, 4);
  let offset = header.length;
  sizes.forEach((size, index) => {
    const at = 6 + 16 * index;
    const { length } = drawn.get(size)!;
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += length;
  });
  return Buffer.concat([header, ...sizes.map((size) => drawn.get(size)!)]);
}

/** Returns an .icns: its magic and length, then each image with its type and length. */
function icns(): Buffer {
  const images = Object.entries(ICNS_TYPES).map(([type, size]) => block(type, drawn.get(size)!));
  return block('icns', Buffer.concat(images));
}

function block(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([header, content]);
}
