// Writes the OpenAPI documents of a running server into clients/contract, the SDK's types and table of resources from them, the schema of
// snapshots, the kinds of the firewall that the command line knows, and the tables of what of the firewall is enforced.
// Run by `npm run contract`; the differences are reviewed like any other change.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { kindsModule } from '../../clients/cli/dist/firewall/kinds-module.js'
import { withEnforcementRows } from '../../services/firewall/dist/publishing/enforcement-table.js'
import { writeResourceTable } from './resource-table.mjs'
import { writeSnapshotSchema } from './snapshot-schema.mjs'

const services = ['admin', 'awareness', 'backup', 'email', 'firewall']
const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
writeSnapshotSchema()
writeEnforcementTables()
const folder = mkdtempSync(join(tmpdir(), 'palisade-contract-'))
const server = spawn(process.execPath, [
  join(root, 'programs/palisade/bin/palisade.js'),
  ...['serve', '--data-directory', folder, '--firewall-run-proxy', 'false'],
  ...[
    'firewall-listen-http',
    'firewall-listen-https',
    'services-listen-http',
    'services-listen-https',
  ].flatMap((flag) => [`--${flag}`, '0']),
])
try {
  const port = await readyPort()
  for (const service of services) {
    const reply = await fetch(`http://127.0.0.1:${port}/openapi/${service}.json`)
    if (!reply.ok) throw new Error(`${service}: ${reply.status}`)
    const document = join(root, 'clients/contract/openapi', `${service}.json`)
    writeFileSync(document, `${JSON.stringify(await reply.json(), null, 2)}\n`)
    const types = join(root, 'clients/sdk/src', `${service}.generated.ts`)
    const { status } = spawnSync(
      process.execPath,
      [join(here, 'node_modules/openapi-typescript/bin/cli.js'), document, '-o', types],
      { stdio: 'inherit' },
    )
    if (status !== 0) throw new Error(`the types of ${service} could not be made`)
  }
  writeResourceTable(
    join(root, 'clients/contract/openapi/admin.json'),
    join(root, 'clients/sdk/src/admin-resources.generated.ts'),
  )
  writeKinds()
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

/** What of the firewall's configuration is enforced follows from what its features read. */
function writeEnforcementTables() {
  const file = join(root, 'docs/firewall-enforcement.md')
  writeFileSync(file, withEnforcementRows(readFileSync(file, 'utf8')))
}

/** The command line knows kinds and fields from the firewall's document. */
function writeKinds() {
  const document = readFileSync(join(root, 'clients/contract/openapi/firewall.json'), 'utf8')
  const file = join(root, 'clients/cli/src/firewall/kinds.generated.ts')
  writeFileSync(file, kindsModule(JSON.parse(document)))
}

async function readyPort() {
  server.stderr.pipe(process.stderr)
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.endsWith('"msg":"ready"}')) return JSON.parse(line).ports.services.http
  }
  throw new Error('the server did not start')
}
