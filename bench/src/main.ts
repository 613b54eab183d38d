import { parseArgs } from 'node:util'
import { servicesListing } from './services-listing.ts'
import { volumeRestore } from './volume-restore.ts'

const benchmarks = { listing: servicesListing, restore: volumeRestore }

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
