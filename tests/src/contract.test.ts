import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

test('the committed OpenAPI documents are what the server serves', async () => {
  const server = await Server.start()
  try {
    const files = globSync(join(root, 'clients/contract/openapi/*.json'))
    for (const file of files) {
      const committed: unknown = JSON.parse(readFileSync(file, 'utf8'))
      const served = await (await fetch(`${server.services}/openapi/${basename(file)}`)).json()
      assert.deepEqual(served, committed, `${basename(file)}: run npm run contract and review the difference`)
    }
    assert.deepEqual(files.map((file) => basename(file, '.json')).sort(), [
      'admin',
      'awareness',
      'backup',
      'email',
      'firewall',
    ])
  } finally {
    await server.remove()
  }
})
