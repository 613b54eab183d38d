import { parseArgs } from 'node:util'
import { firewallTraffic } from './firewall-traffic.ts'
import { machineRestore } from './machine-restore.ts'
import { managementApi } from './management-api.ts'
import { memoryAtSize } from './memory-at-size.ts'
import { rulesAlone } from './rules-alone.ts'
import { servicesListing } from './services-listing.ts'
import { tenThousandServices } from './ten-thousand-services.ts'
import { vaultPeers } from './vault-peers.ts'
import { volumeRestore } from './volume-restore.ts'

const benchmarks = {
  listing: servicesListing,
  management: managementApi,
  scale: tenThousandServices,
  restore: volumeRestore,
  rules: rulesAlone,
  traffic: firewallTraffic,
  vault: vaultPeers,
  memory: memoryAtSize,
  machine: machineRestore,
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, size: { type: 'string', default: '2' } },
  allowPositionals: true,
})
const rounds = Number(values.rounds)
const sizeGibibytes = Number(values.size)
const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0 || !isCount(rounds) || !isCount(sizeGibibytes)) {
  console.error(
    `Usage: npm run bench -- [--rounds N] [--size GIBIBYTES] [${Object.keys(benchmarks).join('|')} …]`,
  )
  process.exit(2)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (positionals.length === 0 || positionals.includes(name)) await run(rounds, sizeGibibytes * 2 ** 30)
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0
}
