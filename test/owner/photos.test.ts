import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawnJpeg } from '../../scripts/drawn-jpeg.ts';
import type { JournalEntry, Photo } from '../../src/shared/owner-data/journal.ts';
import { registeredDevice } from '../support/client.ts';
import { DOOR_ENV, DoorClient } from '../support/door.ts';
import { type RunningNode, removeFolder, startNode, startProcess, temporaryFolder } from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { answerOf, backUp, wellhouse } from '../support/wellhouse.ts';

// This user may not be allowed to mount one.
const disk = mountSmallDisk(64);
afterAll(() => disk?.remove());
let root: string;
let node: RunningNode;
const dataDir = () => join(root, 'data');
const photosIn = (folder = dataDir()) =>
  existsSync(join(folder, 'photos')) ? readdirSync(join(folder, 'photos')).filter((name) => name !== 'new') : [];
const allPhotoFiles = (folder: string) => readdirSync(join(folder, 'photos'), { recursive: true }).sort();
const start = async (env: Record<string, string> = {}, folder = dataDir()) => {
  node = await startNode({ dataDir: folder, args: ['--ui'], env: { ...DOOR_ENV, ...env } });
};
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const picture = (shade: number) => base64(drawnJpeg(8, 6, (column) => [shade, column * 20, 90]));
const preview = base64(drawnJpeg(2, 2, () => [1, 2, 3]));

async function added(shade: number): Promise<Photo> {
  const answer = await call(node, 'addPhoto', { image: picture(shade), preview });
  if (answer.problem !== null) throw new Error(answer.problem);
  return answer.photo;
}

function observed(device: string | null, ...photos: Photo[]): Promise<JournalEntry> {
  const act = { kind: 'observed' as const, ...(photos.length > 0 && { photos }) };
  return call(node, 'writeJournalEntry', { id: null, device, at: 1000, text: 'Leaves', act });
}

const imageOf = async (entry: JournalEntry, size: 'full' | 'preview' = 'full') =>
  (await call(node, 'photo', { photo: entry.act!.photos![0]!.id, entry: entry.id, size })).image;

describe('one node', () => {
  beforeAll(async () => {
    root = temporaryFolder();
    await start({ PUBLIC_ENABLED: 'true' });
  });
  afterEach(async () => {
    const { entries } = await call(node, 'journal', { device: null, from: null, to: null });
    for (const { id } of entries) await call(node, 'deleteJournalEntry', { id });
    await expect.poll(() => photosIn()).toEqual([]);
  });
  afterAll(async () => {
    await node.dispose();
    removeFolder(root);
  });

  it('a photo of two entries stays until both are deleted', async () => {
    const photo = await added(1);
    const [first, second] = [await observed(null, photo), await observed(null, await added(1))];
    await call(node, 'deleteJournalEntry', { id: first.id });
    await call(node, 'deleteJournalEntry', { id: (await observed(null)).id });
    expect(await imageOf(second)).toBe(picture(1));
    await call(node, 'writeJournalEntry', {
      ...second,
      by: undefined,
      updatedAt: undefined,
      act: { kind: 'observed' },
    } as never);
    await expect.poll(() => photosIn()).toEqual([]);
  });

  it('a file that is not a photo is refused, and nothing is left', async () => {
    const refused = async (image: Uint8Array, small: Uint8Array | null = null) =>
      (await call(node, 'addPhoto', { image: base64(image), preview: small && base64(small) })).problem;
    expect(await refused(Buffer.from('<svg onload="alert(1)"/>'))).toBe('notJpeg');
    const exif = Buffer.from(picture(1), 'base64');
    exif[3] = 0xe1;
    expect(await refused(exif)).toBe('metadata');
    expect(await refused(drawnJpeg(257, 1, () => [0, 0, 0]))).toBe('tooLarge');
    expect(
      await refused(
        Buffer.from(picture(1), 'base64'),
        drawnJpeg(41, 1, () => [0, 0, 0]),
      ),
    ).toBe('tooLarge');
    expect((await failure(node, 'addPhoto', { image: 'A'.repeat(700_000), preview: null }))[0]).toBe(400);
    expect((await failure(node, 'addPhoto', { image: '../../x', preview: null }))[0]).toBe(400);
    const unknown = { id: 'ab'.repeat(32), width: 1, height: 1, bytes: 1 };
    const entry = { id: null, device: null, at: 0, text: '', act: { kind: 'observed' as const, photos: [unknown] } };
    expect((await failure(node, 'writeJournalEntry', entry))[0]).toBe(409);
    const wrong = { ...(await added(1)), width: 2000 };
    expect((await failure(node, 'writeJournalEntry', { ...entry, act: { ...entry.act, photos: [wrong] } }))[0]).toBe(
      409,
    );
    expect([photosIn(), (await call(node, 'journal', { device: null, from: null, to: null })).entries]).toEqual([
      [],
      [],
    ]);
  });

  it('an entry stays if its photo’s file is missing or damaged', async () => {
    const entry = await observed(null, await added(1));
    const path = join(dataDir(), 'photos', `${entry.act!.photos![0]!.id}.jpg`);
    writeFileSync(path, Buffer.from(picture(2), 'base64'));
    expect(await imageOf(entry)).toBeNull();
    rmSync(path);
    expect(await imageOf(entry)).toBeNull();
    const { id, device, at } = entry;
    await call(node, 'writeJournalEntry', { id, device, at, text: 'Changed', act: entry.act! });
  });

  it('forgetting a device deletes its photos, unless its entries are kept', async () => {
    for (const keepsLog of [true, false]) {
      const { id } = await registeredDevice(node.url('local'));
      const entry = await observed(id, await added(keepsLog ? 1 : 2));
      await call(node, 'forgetDevice', { id, store: 'private', confirm: id, keepsLog });
      if (keepsLog) expect(await imageOf(entry)).toBe(picture(1));
    }
    await expect.poll(() => photosIn().length).toBe(2);
  });

  it('a viewer of a place sees its photos, and adds some with the right to do so', async () => {
    const [shown, hidden] = [await registeredDevice(node.url('local')), await registeredDevice(node.url('local'))];
    const [seen, unseen] = [await observed(shown.id, await added(1)), await observed(hidden.id, await added(2))];
    const viewer = await DoorClient.pair(node, 'browser', { role: 'viewer', devices: [shown.id], mayLog: true });
    const ask = async (entry: JournalEntry, photo = entry.act!.photos![0]!.id) =>
      (await viewer.ask('photo', { photo, entry: entry.id, size: 'full' })).status;
    expect([await ask(seen), await ask(unseen), await ask(seen, unseen.act!.photos![0]!.id)]).toEqual([200, 404, 404]);
    const listed = await viewer.call('photos', { devices: null, from: null, to: null });
    expect(listed.photos.map(({ entry }) => entry)).toEqual([seen.id]);
    const mine = await viewer.call('addPhoto', { image: picture(3), preview: null });
    const act = { kind: 'observed', photos: [(mine as { photo: Photo }).photo] };
    const entry = { id: null, device: shown.id, at: 1, text: '', act };
    expect((await viewer.ask('writeJournalEntry', entry)).status).toBe(200);
    const reader = await DoorClient.pair(node, 'browser', { role: 'viewer' });
    expect((await reader.ask('addPhoto', { image: picture(4), preview: null })).status).toBe(403);
  });

  it('no listener serves the files, for any request', async () => {
    const { id } = (await observed(null, await added(1))).act!.photos![0]!;
    for (const listener of ['public', 'local'] as const) {
      for (const path of [`photos/${id}.jpg`, `ui/photos/${id}.jpg`, `ui/..%2fphotos/${id}.jpg`, 'ui/api/photo']) {
        const reply = await fetch(`${node.url(listener)}/${path}`);
        const bytes = Buffer.from(await reply.arrayBuffer());
        expect([listener, path, reply.status]).toEqual([
          listener,
          path,
          listener === 'local' && path === 'ui/api/photo' ? 404 : 404,
        ]);
        expect(bytes.includes(Buffer.from(picture(1), 'base64'))).toBe(false);
      }
    }
    const body = JSON.stringify({ photo: id, entry: 1, size: 'full' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${node.url('public')}/ui/api/photo`, { method: 'POST', body, headers })).status).toBe(404);
    expect((await fetch(`${node.url('local')}/ui/api/photo`, { method: 'POST', body, headers })).status).toBe(401);
  });
});

describe('a node of its own', () => {
  beforeEach(() => {
    root = temporaryFolder();
  });
  afterEach(async () => {
    await node.dispose();
    removeFolder(root);
  });

  it('a photo is saved with its entry over a restart, listed, and deleted with it', async () => {
    await start();
    const { id } = await registeredDevice(node.url('local'));
    const photo = await added(1);
    expect(photo).toMatchObject({ width: 64, height: 48 });
    const entry = await observed(id, photo);
    expect(await imageOf(entry)).toBe(picture(1));
    await node.stop();
    await start();
    expect(await imageOf(entry, 'preview')).toBe(preview);
    const { photos } = await call(node, 'photos', { devices: [id], from: null, to: null });
    expect(photos).toEqual([{ ...photo, entry: entry.id, device: id, at: 1000, kind: 'observed', text: 'Leaves' }]);
    expect(await call(node, 'photos', { devices: ['ee'.repeat(32)], from: null, to: null })).toMatchObject({
      photos: [],
    });
    const used = await call(node, 'photoSpace', {});
    expect(used).toMatchObject({
      photos: 1,
      bytes: Buffer.from(picture(1), 'base64').length + Buffer.from(preview, 'base64').length,
    });
    await call(node, 'deleteJournalEntry', { id: entry.id });
    await expect.poll(() => photosIn()).toEqual([]);
    expect((await failure(node, 'photo', { photo: photo.id, entry: entry.id, size: 'full' }))[0]).toBe(404);
  });

  it('no photo is accepted beyond the limit, and existing ones stay', async () => {
    await start({ PHOTOS_MAX_BYTES: '600' });
    const entry = await observed(null, await added(1));
    expect(await call(node, 'addPhoto', { image: picture(2), preview })).toEqual({ problem: 'full' });
    expect(await imageOf(entry)).toBe(picture(1));
  });

  it.skipIf(disk === null)(
    'a full disk takes no photo and leaves no file of it; those that are there stay',
    async () => {
      await start({}, join(disk!.folder, 'data'));
      const entry = await observed(null, await added(1));
      const before = allPhotoFiles(node.dataDir);
      const { bavail, bsize } = statfsSync(disk!.folder);
      // Less is left than the node keeps for itself.
      writeFileSync(join(disk!.folder, 'ballast'), Buffer.alloc(bavail * bsize - 4 * 1024 ** 2));
      for (const fill of [() => {}, () => disk!.fill()]) {
        fill();
        const [status, answer] = await failure(node, 'addPhoto', { image: picture(2), preview });
        expect([status, JSON.stringify(answer)]).toEqual([503, expect.stringContaining('storage_unavailable')]);
      }
      expect(await call(node, 'addPhoto', { image: base64(Buffer.from('GIF89a')), preview })).toEqual({
        problem: 'notJpeg',
      });
      expect(allPhotoFiles(node.dataDir)).toEqual(before);
      expect(await imageOf(entry)).toBe(picture(1));
      disk!.free();
      await expect.poll(async () => (await call(node, 'addPhoto', { image: picture(2), preview })).problem).toBeNull();
    },
  );

  it('a killed node keeps the photos of entries, and deletes the others', async () => {
    const killed = await startProcess({ dataDir: dataDir(), args: ['--ui'] });
    node = killed;
    const entry = await observed(null, await added(1));
    const lost = await added(2);
    await killed.kill();
    // As a crash between the entry and the name of its file leaves it.
    const file = `${entry.act!.photos![0]!.id}.jpg`;
    renameSync(join(dataDir(), 'photos', file), join(dataDir(), 'photos', 'new', file));
    writeFileSync(join(dataDir(), 'photos', 'new', `${lost.id}.jpg.1.new`), 'half');
    await start();
    await expect.poll(() => readdirSync(join(dataDir(), 'photos', 'new'))).toEqual([]);
    expect(photosIn()).toContain(file);
    expect(await imageOf(entry)).toBe(picture(1));
  });

  it('a backup contains the photos, and a restore replaces others with them', async () => {
    await start();
    const entry = await observed(null, await added(1));
    mkdirSync(join(root, 'backups'));
    const backup = await backUp(dataDir(), ['--to', join(root, 'backups'), '--plain']);
    await call(node, 'deleteJournalEntry', { id: entry.id });
    await observed(null, await added(2));
    await expect.poll(() => photosIn()).not.toContain(`${entry.act!.photos![0]!.id}.jpg`);
    await node.stop();
    const restored = await wellhouse(dataDir(), ['restore', backup, '--replace']);
    expect(restored.code, restored.stderr).toBe(0);
    await start();
    expect(await imageOf(entry)).toBe(picture(1));
    expect(await imageOf(entry, 'preview')).toBe(preview);
    expect(photosIn().length).toBe(2);
  });

  it('the command adds photos that fit, beside a node and without one, and names those of entries', async () => {
    await start();
    const [good, bad] = [join(root, 'good.jpg'), join(root, 'bad.jpg')];
    writeFileSync(good, Buffer.from(picture(1), 'base64'));
    writeFileSync(bad, '<html>');
    const add = (...args: string[]) => wellhouse(dataDir(), ['log', 'add', 'observed', ...args]);
    expect((await add('--photo', bad)).stderr).toContain('is no JPEG');
    expect((await add('--photo', join(root, 'none.jpg'))).code).not.toBe(0);
    expect((await add('--photo', good)).code).toBe(0);
    await node.stop();
    const alone = await add('--photo', good, '--text', 'Without a node');
    expect(alone.code, alone.stderr).toBe(0);
    const listed = await wellhouse(dataDir(), ['--table', 'log', 'list']);
    expect(listed.stdout.match(/[0-9a-f]{64}\.jpg/g)).toHaveLength(2);
    const logs = await answerOf<{ image: string[] }[]>(dataDir(), ['log', 'list', '--farmos']);
    expect(logs.map(({ image }) => image.length)).toEqual([1, 1]);
    await start();
    const { entries } = await call(node, 'journal', { device: null, from: null, to: null });
    for (const entry of entries) expect(await imageOf(entry)).toBe(picture(1));
  });
});
