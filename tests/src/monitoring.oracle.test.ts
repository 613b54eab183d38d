import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { causes, ruleTests } from './support/monitoring/alert-causes.ts'
import { filledIn, selectorsOf } from './support/monitoring/expressions.ts'
import { Prometheus } from './support/monitoring/prometheus.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

const shipped = (name: string) => join(root, 'programs', 'palisade', 'monitoring', name)
const rules = readFileSync(shipped('palisade-alerts.yml'), 'utf8')
const alerts = Array.from(rules.matchAll(/^ +- alert: (\w+)$/gm), ([, name]) => name ?? '')
const document = readFileSync(join(root, 'docs', 'operating', 'monitoring.md'), 'utf8')
const skip = notInstalled('/usr/bin/prometheus', '/usr/bin/promtool')

/** A panel of a dashboard, or a row, which shows nothing. */
interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

const expressionsOf = (dashboard: string): string[] => {
  const { panels } = JSON.parse(readFileSync(shipped(dashboard), 'utf8')) as { panels: readonly Panel[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

test('each alert fires by its cause alone, and none while all is well', { skip }, () => {
  execFileSync('promtool', ['check', 'rules', '--lint-fatal', shipped('palisade-alerts.yml')])
  const file = join(newFolder(), 'tests.json')
  writeFileSync(file, JSON.stringify(ruleTests(shipped('palisade-alerts.yml'))))
  execFileSync('promtool', ['test', 'rules', file])
  assert.ok(alerts.length > 20)
  assert.deepEqual([...new Set(causes.map(([alert]) => alert))], alerts)
})

test('each alert says which section of the documents helps, and conditions that it asks for are listed', () => {
  const sections = Array.from(rules.matchAll(/^ +runbook: (\S+)$/gm), ([, section = '']) => section)
  assert.equal(sections.length, alerts.length)
  for (const section of sections) {
    const [path = '', anchor] = section.split('#')
    assert.ok(existsSync(join(root, path)), section)
    if (anchor === undefined) continue
    const headings = readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.*)$/gm)
    const anchors = Array.from(headings, ([, heading = '']) => heading.toLowerCase().replace(/[^\w -]/g, ''))
    assert.ok(anchors.includes(anchor.replaceAll('-', ' ')), section)
  }
  const listed = readFileSync(join(root, 'docs', 'operating', 'attention.md'), 'utf8')
  const conditions = Array.from(rules.matchAll(/condition[!=~]+"([^"]+)"/g), ([, names = '']) =>
    names.split('|'),
  )
  for (const condition of conditions.flat()) assert.ok(listed.includes(`\`${condition}\``), condition)
  assert.ok(conditions.length > 8)
  const rows = Array.from(document.matchAll(/^\| `(Palisade\w+)` \| .+ \|$/gm), ([, name]) => name)
  assert.deepEqual(rows, alerts, 'the table of alerts in monitoring.md')
})

test('the package brings them', () => {
  const folder = join(newFolder(), 'package')
  const content = join(root, 'scripts', 'package-content.mjs')
  const script = `import(${JSON.stringify(content)}).then((content) => content.stagePackage(${JSON.stringify(folder)}))`
  execFileSync(process.execPath, ['-e', script])
  const names = ['palisade-alerts.yml', 'prometheus.yml', 'grafana-server.json', 'grafana-firewall.json']
  for (const name of names) {
    assert.equal(readFileSync(join(folder, 'monitoring', name), 'utf8'), readFileSync(shipped(name), 'utf8'))
  }
})

describe('Prometheus with the files that are shipped', { skip }, () => {
  let server: Server
  let proxy: ProxyProcess
  let prometheus: Prometheus
  before(async () => {
    const { backup } = provisioned
    server = await Server.start(newFolder(), {
      ...provisioned,
      // Something that a warning and a condition tell of.
      backup: {
        ...backup,
        apiClients: backup.apiClients.map((one) => ({ ...one, accounts: ['acme', 'gone'] })),
      },
      administration: { attentionSeconds: 1 },
    })
    await Promise.all([backUp(), startWatched().then(carryTraffic)])
    await eventually('a scrape of the server and the proxy', async () => {
      const { result } = Object(await prometheus.call('query', { query: 'count(up == 1) == 2' }))
      return result.length > 0 || undefined
    })
  })

  async function startWatched(): Promise<void> {
    const folder = newFolder()
    const rule = `SecRule ARGS "@streq forbidden" "id:1000,phase:2,deny,status:403,ver:'OWN/1.0'"`
    // The file that tells the release.
    writeFileSync(join(folder, 'REQUEST-901-INITIALIZATION.conf'), rule)
    const metricsPort = await freePort()
    const more = { workers: 1, spareWorker: true, metrics: { port: metricsPort }, rules: { folder } }
    proxy = await ProxyProcess.start(server, newFolder(), more)
    const configuration = readFileSync(shipped('prometheus.yml'), 'utf8')
      .replaceAll(/scrape_interval: \d+s/g, 'scrape_interval: 1s')
      .replace('127.0.0.1:8444', `127.0.0.1:${server.ports.services.https}`)
      .replace('127.0.0.1:9180', `127.0.0.1:${metricsPort}`)
    prometheus = await Prometheus.start(`global: { evaluation_interval: 1s }\n${configuration}`, {
      // Who waits for hours is tested by promtool.
      'palisade-alerts.yml': rules.replaceAll(/^ +for: .*\n/gm, ''),
      'palisade.pem': readFileSync(join(server.dataDirectory, 'self-signed.pem'), 'utf8'),
    })
  }

  async function carryTraffic(): Promise<void> {
    const management = await Management.connect(server)
    const behind = await application((_request, response) => response.end('served'))
    const port = await management.protect('shop', behind)
    await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
    await management.untilHealth('services/shop', 'Up')
    const statusOf = async (word: string) => (await fetch(`http://127.0.0.1:${port}/?word=${word}`)).status
    assert.deepEqual([await statusOf('welcome'), await statusOf('forbidden')], [200, 403])
  }

  async function backUp(): Promise<void> {
    const folder = newFolder()
    const image = join(folder, 'disk.img')
    writeFileSync(image, Buffer.alloc(2 ** 20, 'content'))
    const agent = await Agent.start(server, folder)
    await (await Backups.connect(server)).backUp(image)
    await agent.program.stop()
  }

  test('every expression is understood and asks for metrics and labels that are there', async () => {
    const dashboards = ['grafana-server.json', 'grafana-firewall.json'].map(expressionsOf)
    for (const expressions of dashboards) assert.ok(expressions.length > 20)
    const understood = await prometheus.rules()
    assert.deepEqual(understood.map(({ name }) => name).sort(), [...alerts].sort())
    const expressions = [...understood.map(({ query }) => query), ...dashboards.flat()]
    const labelsOf = (metric: string) =>
      eventually(
        `${metric} among the series`,
        async () => {
          const labels = (await prometheus.call('labels', { 'match[]': metric })) as readonly string[]
          return labels.length > 0 ? labels : undefined
        },
        20_000,
      )
    const labelsByMetric = new Map<string, readonly string[]>()
    for (const expression of expressions) {
      await prometheus.call('query', { query: filledIn(expression) })
      const selectors = selectorsOf(expression)
      assert.ok(selectors.length > 0, expression)
      for (const { metric, labels } of selectors) {
        const there = labelsByMetric.get(metric) ?? (await labelsOf(metric))
        labelsByMetric.set(metric, there)
        for (const label of labels) assert.ok(there.includes(label), `${label} in ${expression}`)
      }
    }
    assert.ok(labelsByMetric.size > 30)
  })

  test('the document has each metric of servers and proxies with its labels', async () => {
    const ofScrape = new Set(['__name__', 'job', 'instance', 'le'])
    const shown = new Map<string, Set<string>>()
    const metadata = Object(await prometheus.call('metadata')) as Record<string, readonly { type: string }[]>
    for (const labels of await prometheus.series('palisade_')) {
      const series = labels.__name__ ?? ''
      if (series.startsWith('palisade_proxy_primary_')) continue
      const family = series.replace(/_(?:bucket|sum|count)$/, '')
      const name = metadata[family]?.[0]?.type === 'histogram' ? family : series
      const names = shown.get(name) ?? new Set()
      for (const label of Object.keys(labels)) if (!ofScrape.has(label)) names.add(label)
      shown.set(name, names)
    }
    const rows = document.matchAll(/^\| `(palisade_\w+)` \| (.*?) \| .+ \|$/gm)
    const described = Array.from(rows, ([, name, labels = '']) => [name, labels.match(/\w+/g) ?? []])
    assert.deepEqual(
      Object.fromEntries(described.map(([name, labels]) => [name, [...(labels ?? [])].sort()])),
      Object.fromEntries(Array.from(shown, ([name, labels]) => [name, [...labels].sort()])),
    )
  })

  test('nothing fires while all is well, and what happens to a worker, a proxy and a server is told', async () => {
    await eventually('no alert', async () => (await prometheus.alerts()).length === 0 || undefined, 20_000)
    const [worker = 0] = workerPids(proxy)
    process.kill(worker, 'SIGKILL')
    const crash = await prometheus.firing('PalisadeWorkerCrashes')
    assert.match(crash.annotations.summary ?? '', /^Workers of the proxy 127\.0\.0\.1:\d+ crash\.$/)
    await server.program.stop()
    await prometheus.firing('PalisadeServerDown')
    await prometheus.firing('PalisadeProxyWithoutServer')
    await proxy.program.stop()
    await prometheus.firing('PalisadeProxyDown')
  })
})
