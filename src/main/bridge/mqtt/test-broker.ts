import { brokerOptions } from './broker-options.ts';
import { BrokerError, brokerError } from './faults.ts';
import type { SessionConfig } from './session.ts';

const WITHIN_MS = 15_000;

/**
 * Opens a second connection, sends a message that is not retained, and waits for it to come back. Rejects with
 * BrokerError.
 */
export async function testBroker({ address, names }: SessionConfig): Promise<void> {
  const { connect } = await import('mqtt');
  const topic = `${names.prefix}/${names.node}/test`;
  const options = await brokerOptions(address, `wellhouse-test-${names.node.slice(0, 8)}`);
  const client = connect(address.url, options);
  const deadline = AbortSignal.timeout(WITHIN_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      deadline.addEventListener('abort', () => reject(new BrokerError('timeout', 'the message did not come back')));
      client.on('error', (error) => reject(brokerError(error)));
      client.on('close', () => reject(brokerError({ message: 'the broker closed the connection' })));
      client.on('message', () => resolve());
      client.on('connect', () => {
        client
          .subscribeAsync(topic, { qos: 1 })
          .then(() => client.publishAsync(topic, 'test', { qos: 1 }))
          .catch((error: unknown) => reject(new BrokerError('other', (error as Error).message)));
      });
    });
  } finally {
    client.end(true);
  }
}
