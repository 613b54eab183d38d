/**
 * Prints what the firewall refuses of recorded requests and of attacks, with the rules of Debian and with basic rules, with and
 * without the second stage. Of recordings that are held out, and of attacks, totals alone. See tests/README.md.
 *
 * node --conditions=source tests/src/ordinary-traffic/measure.ts [--attacks FOLDER | --urls FILE | --har FILE | --written] [RULES]
 *
 * FOLDER has lists of attacks, `SORT.txt` with a value a line, which are sent instead of all others. FILE has addresses of sites, one a
 * line, which are asked for instead of all others; those that are refused are printed, but for the third that is held out. `--har` does
 * so with whole requests from a HAR file, a file of JSON lines, or a folder of them. `--written` sends those of `written/` alone, and
 * prints the refused ones. RULES is a folder with rules of another release.
 */
import { parseArgs } from 'node:util'
import { application, cleanUpApplications, Management, ProxyProcess } from '../support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from '../support/programs/server.ts'
import { requestsForAddresses } from './addresses.ts'
import { type AttackRequest, attackRequests, attackRequestsIn, places } from './attacks/attack-requests.ts'
import { piecesOfCode } from './held-out/everyday-texts.ts'
import { type Part, parts, type RecordedRequest, type Recording, recordings } from './recorded-request.ts'
import { activeService, answeredStatus, refusalsOf, share, summary } from './refusals.ts'
import { replay } from './replay.ts'
import { requestsInFiles } from './request-files.ts'
import { writtenRequests } from './written-requests.ts'

const {
  values: { attacks: lists, urls, har, written: isWritten },
  positionals: [folder],
} = parseArgs({
  allowPositionals: true,
  options: {
    attacks: { type: 'string' },
    urls: { type: 'string' },
    har: { type: 'string' },
    written: { type: 'boolean' },
  },
})
const ruleSets = {
  [folder === undefined ? 'rules of Debian' : `rules of ${folder}`]: folder === undefined ? {} : { folder },
  'basic rules': { folder: newFolder(), withoutRules: 'basic-rules' },
}
const byHost =
  har !== undefined ? requestsInFiles(har) : urls !== undefined ? requestsForAddresses(urls) : undefined
const attacks = lists === undefined ? attackRequests() : attackRequestsIn(lists)
const behind = await application((request, response) => {
  request.resume().on('end', () => response.writeHead(answeredStatus).end('ok'))
})

for (const [rules, configuration] of Object.entries(ruleSets)) {
  const server = await Server.start()
  const proxy = await ProxyProcess.start(server, newFolder(), { rules: configuration })
  const management = await Management.connect(server)
  for (const status of ['On', 'Off']) {
    await management.call('PUT', 'security-policies/default/second-stage', { status })
    console.log(`\n${rules}, second stage ${status}`)
    const suffix = `${status}-second-stage`
    if (byHost !== undefined) await measureByHost(management, suffix, byHost)
    else if (isWritten) await measureWritten(management, suffix)
    else await measure(management, suffix)
  }
  await proxy.program.stop()
}
cleanUpApplications()
await cleanUp()
process.exit()

async function measure(management: Management, suffix: string): Promise<void> {
  for (const part of lists === undefined ? parts : []) {
    const ofPart = recordings(part)
    const requests = ofPart.flatMap((recording) => recording.requests)
    const name = `${part}-${suffix}`
    const port = await activeService(management, { name, policy: 'default', behind })
    const refusals = await refusalsOf(management, { name, port }, requests)
    console.log(`${part}: ${summary(refusals, { requests: requests.length, named: part === 'tuned' })}`)
    console.log(`  ${sharesByFamily(ofPart, refusals.requests)}`)
    if (part === 'held-out') {
      const withCode = requests.filter(hasCode)
      const refused = withCode.filter((request) => refusals.requests.has(request)).length
      const withoutCode = requests.length - withCode.length
      console.log(
        `  with one of the posts about code ${share(refused, withCode.length)}, others ${share(refusals.count - refused, withoutCode)}`,
      )
    }
  }
  const port = await activeService(management, { name: `attacks-${suffix}`, policy: 'default', behind })
  const harmless = Object.values(places).map((requestOf) => requestOf('blue'))
  const wrong = await replay(harmless, port, { status: answeredStatus })
  if (wrong.length > 0) throw new Error(`${wrong.length} requests without an attack are refused`)
  const refusals = await replay(
    attacks.map(({ request }) => request),
    port,
    { status: answeredStatus },
  )
  const refused = new Set(refusals.map(({ request }) => request))
  console.log(`attacks: ${share(refused.size, attacks.length)}`)
  for (const by of ['sort', 'place'] as const) console.log(`by ${by}: ${sharesBy(by, refused)}`)
}

async function measureWritten(management: Management, suffix: string): Promise<void> {
  for (const [file, requests] of writtenRequests()) {
    const name = `${file}-${suffix}`
    const port = await activeService(management, { name, policy: 'default', behind })
    const refusals = await refusalsOf(management, { name, port }, requests)
    console.log(`${file}: ${summary(refusals, { requests: requests.length, named: true })}`)
    for (const denial of refusals.denials) console.log(`  ${denial.join(' ')}`)
  }
}

async function measureByHost(
  management: Management,
  suffix: string,
  requestsOf: Readonly<Record<Part, readonly RecordedRequest[]>>,
): Promise<void> {
  for (const part of parts) {
    const requests = requestsOf[part]
    const name = `by-host-${part}-${suffix}`
    const port = await activeService(management, { name, policy: 'default', behind })
    const refusals = await refusalsOf(management, { name, port }, requests)
    console.log(`${part}: ${summary(refusals, { requests: requests.length, named: part === 'tuned' })}`)
    if (part === 'tuned') for (const denial of refusals.denials) console.log(`  ${denial.join(' ')}`)
  }
}

/** Client libraries by what they are for, and applications. */
function sharesByFamily(recordings: readonly Recording[], refused: ReadonlySet<RecordedRequest>): string {
  const families = Map.groupBy(
    recordings,
    ({ application }) => /^client-(\w+)/.exec(application)?.[1] ?? 'applications',
  )
  return Array.from(families, ([family, ofFamily]) => {
    const requests = ofFamily.flatMap((recording) => recording.requests)
    return `${family} ${share(requests.filter((request) => refused.has(request)).length, requests.length)}`
  }).join(', ')
}

/** Whether a post with code is in the request, however it is written there. */
function hasCode({ target, body = '' }: RecordedRequest): boolean {
  const text = `${target} ${body}`
    .replaceAll('+', ' ')
    .replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replaceAll(/\\+"|&quot;/g, '"')
    .replaceAll('\\s', ' ')
  return piecesOfCode.some((piece) => text.includes(piece))
}

function sharesBy(by: 'sort' | 'place', refused: ReadonlySet<AttackRequest['request']>): string {
  return [...Map.groupBy(attacks, (attack) => attack[by])]
    .map(
      ([name, ofName]) =>
        `${name} ${share(ofName.filter(({ request }) => refused.has(request)).length, ofName.length)}`,
    )
    .join(', ')
}
