import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
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

test('the table of resources that programs work by is that of the documents', () => {
  const written = join(newFolder(), 'table.ts')
  const script = `
import { writeResourceTable } from ${JSON.stringify(join(root, 'tools/contract/resource-table.mjs'))}
writeResourceTable(${JSON.stringify(join(root, 'clients/contract/openapi/admin.json'))}, ${JSON.stringify(written)})`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script])
  const committed = readFileSync(join(root, 'clients/sdk/src/admin-resources.generated.ts'), 'utf8')
  assert.equal(readFileSync(written, 'utf8'), committed, 'run npm run contract')
})
