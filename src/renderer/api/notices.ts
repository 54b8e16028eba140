import type { NodeConnection } from './node-connection.ts';

/** Tells the node whether this view showed a notice. Where that is lost, the node tries once more. */
export async function tellNoticeShown(node: NodeConnection, id: string, isShown: boolean): Promise<void> {
  await node.api.call('noticeShown', { id, isShown }).catch(() => {});
}
