import { z } from 'zod';
import type { EndpointName } from './protocol/codes.ts';

// The state of the node inside the desktop app, for the desktop's shell and the renderer.

/** The program that holds a port, as far as the system tells. */
export const portHolder = z.strictObject({
  pid: z.int().nullable(),
  /** Its short name, such as `node`; null where the system does not say. */
  name: z.string().nullable(),
  /** `self`: the other listener of this very node; `other`: it answers as a Wellhouse does. */
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
    /** `equal`: both listeners would have it; `refused`: the system says no for another reason. */
    reason: z.enum(['taken', 'privileged', 'equal', 'refused']),
    holder: portHolder.nullable(),
    message,
  }),
  z.strictObject({
    kind: z.literal('folder'),
    /** The data folder. */
    path: z.string(),
    /**
     * `missing`: the settings name it, and no data is in it; `moved`: the data is elsewhere; `busy`: another node runs on
     * it; `unusable`: it can't be made.
     */
    reason: z.enum(['missing', 'moved', 'busy', 'unusable']),
    /** For `moved` the place of the data, for `unusable` the system's message. */
    detail: z.string().nullable(),
    message,
  }),
  /** Put-back data takes long to open; the start goes on. */
  z.strictObject({ kind: z.literal('slow'), message }),
  /** A store, the identity or a setting. */
  z.strictObject({ kind: z.literal('other'), message }),
]);
export type StartProblem = z.infer<typeof startProblem>;
export type PortProblem = Extract<StartProblem, { kind: 'port' }>;
export type FolderStartProblem = Extract<StartProblem, { kind: 'folder' }>;

/** How far the copy of a data folder is. */
export const moveProgress = z.strictObject({
  to: z.string(),
  /** `checking`: what was copied is read again and compared. */
  phase: z.enum(['copying', 'checking']),
  doneBytes: z.int().min(0),
  totalBytes: z.int().min(0),
});
export type MoveProgress = z.infer<typeof moveProgress>;

/** The life of the node inside the app. */
export const nodeState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('starting') }),
  z.strictObject({ state: z.literal('running'), localUrl: z.string(), publicUrl: z.string().nullable() }),
  z.strictObject({ state: z.literal('moving'), progress: moveProgress }),
  z.strictObject({ state: z.literal('failed'), problem: startProblem }),
  z.strictObject({ state: z.literal('stopped') }),
]);
export type NodeState = z.infer<typeof nodeState>;
