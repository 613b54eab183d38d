/**
 * Records what ordinary clients send to applications, into `requests/`. See tests/README.md.
 *
 * node --conditions=source tests/src/ordinary-traffic/record.ts PACKAGES [APPLICATION…]
 *
 * PACKAGES is the folder below which npm installed the applications.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cleanUpProcesses } from '../support/applications/application-process.ts'
import { startBrowser } from '../support/applications/browser.ts'
import { notebookHost, notebookPassword, notebookServer } from '../support/applications/notebook-server.ts'
import { adminer, dokuwiki } from '../support/applications/php-applications.ts'
import { startS3 } from '../support/backup/s3.ts'
import { cleanUp } from '../support/programs/server.ts'
import { visitDatabase } from '../support/visits/database-visit.ts'
import { visitNotebooks } from '../support/visits/notebook-visit.ts'
import { newWork } from '../support/visits/notebook-work.ts'
import { databaseWork, newArticles } from '../support/visits/ordinary-words.ts'
import { visitWiki } from '../support/visits/wiki-visit.ts'
import * as applications from './applications.ts'
import { libraryPlans } from './client-libraries/plans.ts'
import { heldOutPlans } from './held-out/plans.ts'
import { type Part, parts, type RecordedRequest, recordingsFolder } from './recorded-request.ts'
import { Recorder } from './recorder.ts'
import * as visits from './visits.ts'
import { inBrowser, type Plan } from './visits.ts'

/** Beyond that many, requests of an application are left out. */
const requestsMax = 220
const withoutBodyOfPath = 3
/** Scripts, styles, pictures and fonts of pages, of which one is like the other. */
const filesOfPagesMax = 30

type Plans = Readonly<Record<string, () => Plan | Promise<Plan>>>

const [folder = '.', ...names] = process.argv.slice(2)
const packages = resolve(folder)
const tunedPlans: Plans = {
  dokuwiki: () => ({
    start: dokuwiki,
    visit: (origin, browser) =>
      inBrowser(browser, (page) => visitWiki(page, origin, newArticles.slice(0, 4))),
  }),
  adminer: async () => {
    const { port, database } = await adminer()
    const work = { database, ...databaseWork('chairs', true) }
    return {
      start: async () => port,
      visit: (origin, browser) => inBrowser(browser, (page) => visitDatabase(page, origin, work)),
    }
  },
  jupyter: () => ({
    start: notebookServer,
    visit: (origin, browser) =>
      inBrowser(browser, async (page) => {
        await visitNotebooks(page, origin.replace('127.0.0.1', notebookHost), {
          ...newWork,
          password: notebookPassword,
        })
      }),
  }),
  mediawiki: () => ({ start: applications.mediaWiki, visit: visits.useMediaWiki }),
  'json-server': () => ({ start: () => applications.jsonServer(packages), visit: visits.useJsonApi }),
  graphql: () => ({ start: () => applications.graphql(packages), visit: visits.useGraphql }),
  'node-red': () => ({ start: () => applications.nodeRed(packages), visit: visits.useNodeRed }),
  pouchdb: () => ({ start: () => applications.pouchdb(packages), visit: visits.usePouchdb }),
  webdav: () => ({ start: () => applications.webdav(packages), visit: visits.useWebdav }),
  radicale: () => ({ start: applications.calendars, visit: visits.useCalendars }),
  git: () => ({ start: () => applications.gitRepositories(packages), visit: visits.useGit }),
  tus: () => ({ start: () => applications.resumableUploads(packages), visit: visits.useResumableUploads }),
  'socket-io': () => ({ start: () => applications.chat(packages), visit: visits.useChat }),
  'swagger-ui': () => ({
    start: () => applications.apiDocumentation(packages),
    visit: visits.useApiDocumentation,
  }),
  npm: () => ({ start: () => applications.packageRegistry(packages), visit: visits.usePackageRegistry }),
  s3: async () => {
    const { bucket } = await startS3()
    const visit = visits.useObjectStorage(bucket.accessKeyId, bucket.secretAccessKey, bucket.bucket)
    return { start: async () => Number(new URL(bucket.endpoint).port), visit }
  },
}

const plans: Readonly<Record<Part, Plans>> = {
  tuned: { ...tunedPlans, ...libraryPlans('tuned', packages) },
  'held-out': { ...heldOutPlans(packages), ...libraryPlans('held-out', packages) },
}
for (const part of parts) mkdirSync(recordingsFolder(part), { recursive: true })
const browser = await startBrowser([
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
])
for (const part of parts) {
  for (const [name, prepare] of Object.entries(plans[part])) {
    if (names.length === 0 || names.some((one) => `${name}-`.startsWith(`${one}-`)))
      await record(part, name, prepare)
  }
}
await browser.close()
await cleanUpProcesses()
await cleanUp()
process.exit()

/** Starts an application, visits it, and writes down what it was sent. */
async function record(part: Part, name: string, prepare: () => Plan | Promise<Plan>): Promise<void> {
  try {
    const { start, visit } = await prepare()
    const recorder = await Recorder.before(await start())
    const origin = `http://127.0.0.1:${recorder.port}`
    await visit(origin, browser).catch((error: unknown) => console.error(`${name}:`, error))
    recorder.close()
    const requests = anonymous(distinct(recorder.requests), recorder.port)
    writeFileSync(
      join(recordingsFolder(part), `${name}.json`),
      `[\n${requests.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
    )
    console.log(`${name}: ${recorder.requests.length} requests, ${requests.length} kept`)
  } catch (error) {
    console.error(`${name} could not be recorded:`, error)
  }
}

/** Requests without a body for one path are kept three times, since pages ask for the same files again and again. */
function distinct(requests: readonly RecordedRequest[]): RecordedRequest[] {
  const counts = new Map<string, number>()
  let filesOfPages = 0
  return requests
    .filter(({ method, target, headers, body }) => {
      if (body !== undefined) return true
      const destination = headers[headers.indexOf('Sec-Fetch-Dest') + 1] ?? ''
      if (/^(?:script|style|image|font)$/.test(destination) && ++filesOfPages > filesOfPagesMax) return false
      const path = `${method} ${target.split('?', 1)[0]}`
      const count = (counts.get(path) ?? 0) + 1
      counts.set(path, count)
      return count <= withoutBodyOfPath || target.includes('?')
    })
    .slice(0, requestsMax)
}

/** The requests as if the application were at www.example.org. */
function anonymous(requests: readonly RecordedRequest[], port: number): RecordedRequest[] {
  const text = JSON.stringify(requests)
  const hosts = new RegExp(`(?:[\\w-]+\\.localhost|127\\.0\\.0\\.1|localhost)(:|%3A)${port}`, 'g')
  return JSON.parse(text.replace(hosts, 'www.example.org')) as RecordedRequest[]
}
