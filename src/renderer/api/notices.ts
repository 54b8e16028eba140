import type { NodeConnection } from './node-connection.ts';

/** Tells the node whether this view showed a notice. If the call is lost, the node sends the notice again. */
export async function tellNoticeShown(node: NodeConnection, id: string, isShown: boolean): Promise<void> {
  await node.api.call('noticeShown', { id, isShown }).catch(() => {});
}
