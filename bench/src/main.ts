import { parseArgs } from 'node:util'
import { cleanUp } from '@palisade/tests'
import { type Benchmark, benchmarks } from './benchmarks.ts'
import { type Extent, ordinaryExtent, shortExtent } from './extent.ts'
import { installPackages, missingPackages, packagesWithVersions } from './packages.ts'
import { endPython } from './python.ts'

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    services: { type: 'string' },
    size: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const runExtent = values.short ? shortExtent : ordinaryExtent
const extent: Extent = {
  ...runExtent,
  rounds: Number(values.rounds ?? runExtent.rounds),
  imageBytes: values.size === undefined ? runExtent.imageBytes : Number(values.size) * 2 ** 30,
  severalServers: {
    ...runExtent.severalServers,
    services: Number(values.services ?? runExtent.severalServers.services),
  },
}
const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name))
const counts = [extent.rounds, extent.imageBytes, extent.severalServers.services]
if (unknown.length > 0 || !counts.every(isCount)) {
  console.error(
    `Usage: npm run bench -- [--rounds N] [--size GIBIBYTES] [--services N] [--short] [${Object.keys(benchmarks).join('|')} …]`,
  )
  process.exit(2)
}
for (const [name, benchmark] of Object.entries<Benchmark>(benchmarks)) {
  if (positionals.length === 0 || positionals.includes(name)) await start(name, benchmark)
}

async function start(name: string, { packages, run }: Benchmark): Promise<void> {
  const missing = missingPackages(packages)
  // What only has to show that it runs leaves the machine as it is.
  if (missing.length > 0 && values.short) {
    console.error(`${name} does not run: apt-get install ${missing.join(' ')}`)
    process.exitCode = 1
    return
  }
  if (missing.length > 0) installPackages(missing)
  console.log(`\n${[name, ...(packages.length > 0 ? [packagesWithVersions(packages)] : [])].join(', with ')}`)
  try {
    await run(extent)
  } finally {
    await endPython()
    await cleanUp()
  }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0
}
