// Makes the JSON Schema of what the firewall's management tells its proxies from the types of protocols/proxy-protocol.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGenerator } from 'ts-json-schema-generator'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const protocol = join(root, 'protocols', 'proxy-protocol')
const file = join(protocol, 'src', 'snapshot-schema.generated.ts')

/** The text of the generated module. */
export function snapshotSchemaModule() {
  const generator = createGenerator({
    path: join(protocol, 'src', 'snapshot.ts'),
    tsconfig: join(protocol, 'tsconfig.json'),
    type: 'ProxySnapshot',
    expose: 'export',
    // A newer management may say more.
    additionalProperties: true,
    skipTypeCheck: true,
  })
  const schema = JSON.stringify(generator.createSchema('ProxySnapshot'), withoutDescriptions, 1)
  return `/** Made from the types by \`npm run contract\`. */\nexport const snapshotSchema = ${schema}\n`
}

function withoutDescriptions(name, value) {
  return name === 'description' && typeof value === 'string' ? undefined : value
}

/** @returns whether the module in the repository is the one that the types give */
export function isCurrent() {
  return readFileSync(file, 'utf8') === snapshotSchemaModule()
}

export function writeSnapshotSchema() {
  writeFileSync(file, snapshotSchemaModule())
}
