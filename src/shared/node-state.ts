import { z } from 'zod';
import type { EndpointName } from './protocol/codes.ts';

// The state of the node inside the desktop app, for the main process and the renderer.

/** The program that uses a port, as far as the system reports it. */
export const portHolder = z.strictObject({
  pid: z.int().nullable(),
  /** Its short name, such as `node`; null if the system does not report it. */
  name: z.string().nullable(),
  /** `self`: the other listener of this node; `other`: it answers like a Wellhouse node. */
  wellhouse: z.enum(['self', 'other']).nullable(),
});
export type PortHolder = z.infer<typeof portHolder>;

const message = z.string();

/** Why the node did not start. `message` is one English line that says what to do. */
export const startProblem = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('port'),
    listener: z.enum(['public', 'local'] as const satisfies readonly EndpointName[]),
    port: z.int(),
    /** `equal`: both listeners have the same port; `refused`: the system refuses for another reason. */
    reason: z.enum(['taken', 'privileged', 'equal', 'refused']),
    holder: portHolder.nullable(),
    message,
  }),
  z.strictObject({
    kind: z.literal('folder'),
    /** The data folder. */
    path: z.string(),
    /**
     * `missing`: the settings name the folder, but it has no data; `moved`: the data is elsewhere; `busy`: another node
     * uses it; `unusable`: it can't be created.
     */
    reason: z.enum(['missing', 'moved', 'busy', 'unusable']),
    /** For `moved` the place of the data, for `unusable` the system's message. */
    detail: z.string().nullable(),
    message,
  }),
  /** Opening restored data takes long; the start continues. */
  z.strictObject({ kind: z.literal('slow'), message }),
  /** A problem of a store, of the identity or of a setting. */
  z.strictObject({ kind: z.literal('other'), message }),
]);
export type StartProblem = z.infer<typeof startProblem>;
export type PortProblem = Extract<StartProblem, { kind: 'port' }>;
export type FolderStartProblem = Extract<StartProblem, { kind: 'folder' }>;

/** The progress of copying a data folder. */
export const moveProgress = z.strictObject({
  to: z.string(),
  /** `checking`: the copied files are read again and compared. */
  phase: z.enum(['copying', 'checking']),
  doneBytes: z.int().min(0),
  totalBytes: z.int().min(0),
});
export type MoveProgress = z.infer<typeof moveProgress>;

/** The states of the node inside the app. */
export const nodeState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('starting') }),
  z.strictObject({ state: z.literal('running'), localUrl: z.string(), publicUrl: z.string().nullable() }),
  z.strictObject({ state: z.literal('moving'), progress: moveProgress }),
  z.strictObject({ state: z.literal('failed'), problem: startProblem }),
  z.strictObject({ state: z.literal('stopped') }),
]);
export type NodeState = z.infer<typeof nodeState>;
