import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { ProxyConfiguration } from '../configuration.ts'
import { ManagementLink } from '../management/management-link.ts'

/** A link to a management that only says with which status it takes each message; both end with the test. */
export async function linkToManagement<Message>(
  t: TestContext,
  statusOf: (message: Message) => number,
): Promise<ManagementLink> {
  const management = createServer(async (request, response) => {
    response.writeHead(statusOf(JSON.parse(Buffer.concat(await request.toArray()).toString()))).end()
  })
  management.listen(0, '127.0.0.1')
  await once(management, 'listening')
  const link = new ManagementLink({
    server: new URL(`http://127.0.0.1:${(management.address() as AddressInfo).port}`),
    credential: 'one',
    insecure: false,
  } as ProxyConfiguration)
  t.after(async () => {
    await link.close()
    management.closeAllConnections()
    management.close()
  })
  return link
}
