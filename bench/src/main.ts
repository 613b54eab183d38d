import { parseArgs } from 'node:util'
import { managementApi } from './management-api.ts'
import { servicesListing } from './services-listing.ts'
import { tenThousandServices } from './ten-thousand-services.ts'
import { volumeRestore } from './volume-restore.ts'

const benchmarks = {
  listing: servicesListing,
  management: managementApi,
  scale: tenThousandServices,
  restore: volumeRestore,
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const rounds = Number(values.rounds)
const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0 || !(Number.isInteger(rounds) && rounds > 0)) {
  console.error(`Usage: npm run bench -- [--rounds N] [${Object.keys(benchmarks).join('|')} …]`)
  process.exit(2)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (positionals.length === 0 || positionals.includes(name)) await run(rounds)
}
