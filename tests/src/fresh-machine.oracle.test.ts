import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { requestVariants } from '@palisade/firewall-proxy/testing'
import { type Account, clone, FreshMachine, neededPrograms } from './fresh-machine/fresh-machine.ts'
import type { Experience, Outcome, Sight } from './fresh-machine/newcomer.ts'
import { notInstalled } from './support/programs/not-installed.ts'

/*
 * The base of Debian, Node, npm and a clone, as a newcomer has it: `npm start` with a network, once; then the steps that were printed,
 * on loopback alone. First as somebody who may install nothing, then as root.
 */

const skip =
  process.getuid?.() === 0 ? notInstalled(...neededPrograms) : 'only root may enter a system in a folder'

const freePorts = [
  'firewall-listen-http',
  'firewall-listen-https',
  'services-listen-http',
  'services-listen-https',
]

const onFreePorts = freePorts.map((name) => `--${name} 0`).join(' ')

/** As the notice says, while a proxy runs. Ends with its log, when it has loaded the rules twice. */
const bringingTheLibraryLater = `
  node_modules/.bin/palisade serve ${onFreePorts} > /tmp/server.log &
  until grep -q 'carrying traffic' /tmp/server.log; do sleep 1; done
  node_modules/.bin/palisade rules install --debian --if-missing
  until [ "$(grep -c 'judged by these rules' /tmp/server.log)" = 2 ]; do sleep 1; done
  cat /tmp/server.log`

describe('on a machine with nothing but Debian, Node and npm', { skip, timeout: 840_000 }, () => {
  let machine: FreshMachine
  before(() => {
    machine = FreshMachine.make()
  })
  after(() => machine?.remove())

  /** The first `npm start`, which brings everything. @returns its output */
  function firstStart(account: Account, flags: readonly string[]): Promise<string> {
    return machine.run(
      account,
      'shared',
      ['npm', 'start', '--', ...onFreePorts.split(' '), ...flags],
      /"msg":"carrying traffic"/,
    )
  }

  /** What comes of the steps that were printed, where there is no network. */
  async function steps<T extends Sight>(
    account: Account,
    task: 'protect' | 'look',
    firstOutput: string,
    flags: readonly string[],
  ): Promise<T> {
    const [, password = ''] = /firewall +username admin +password (\S+)/.exec(firstOutput) ?? []
    const program = [
      'node',
      '--conditions=source',
      'tests/src/fresh-machine/newcomer.ts',
      task,
      password,
      ...flags,
    ]
    const output = await machine.run(account, 'loopback', program)
    return JSON.parse(output.split('\n').findLast((line) => line.startsWith('{"status"')) ?? '')
  }

  let firstOutput = ''

  test('an ordinary user protects an application by what npm start brings', async () => {
    firstOutput = await firstStart('newcomer', [])
    isProtected(await steps('newcomer', 'protect', firstOutput, []))
  })

  test('rules that sleep for want of a library are named wherever one looks', async () => {
    rmSync(machine.outside(join(clone, 'data/rules/libraries')), { recursive: true })
    const sight = await steps('newcomer', 'look', firstOutput, [])
    const asleep =
      /Rules 941100, .*942100.* can never match here: libinjection .*"palisade rules install --debian --if-missing"/
    isToldEverywhere(sight, { status: 'Up', condition: 'rules-notice', sentence: asleep, rules: / 634$/ })

    const log = await machine.run('newcomer', 'shared', ['sh', '-c', bringingTheLibraryLater])
    assert.equal(log.match(/"the rules work otherwise than they read"/g)?.length, 1, 'before, and not after')
  })

  test('rules that are missing are told of wherever one looks', async () => {
    rmSync(machine.outside(join(clone, 'data/rules')), { recursive: true })
    const sight = await steps('newcomer', 'look', firstOutput, [])
    isToldEverywhere(sight, {
      status: 'Down',
      condition: 'no-rules',
      sentence: /There are no rules in .*"palisade rules install --debian"/,
      rules: / 0$/,
    })
  })

  test('root protects an application by what npm start installs', async () => {
    const flags = ['--data-directory', '/root/data']
    isProtected(await steps('root', 'protect', await firstStart('root', flags), flags))
  })
})

function isProtected({ status, reason, readiness, metrics, attacks, ordinary }: Experience): void {
  assert.deepEqual([status, reason, readiness], ['Up', '', { status: 'ready' }])
  assert.match(
    metrics.join('\n'),
    /^palisade_firewall_rules_loaded\{proxy="[^"]+",release="OWASP_CRS\/3\.\d+\.\d+"\} [1-9]\d\d$/,
  )

  const carried = new Set(requestVariants.filter(({ carriedSince }) => carriedSince).map(({ name }) => name))
  const isRefused = ({ status, hasReached }: Outcome) => status >= 400 && !hasReached
  const through = Object.entries(attacks).filter(
    ([name, outcome]) => !isRefused(outcome) && !carried.has(name),
  )
  assert.deepEqual(through, [], 'attacks that were carried')
  assert.ok(Object.keys(attacks).length > requestVariants.length && requestVariants.length >= 380)

  const refused = Object.entries(ordinary).filter(
    ([, { status, hasReached }]) => status !== 200 || !hasReached,
  )
  assert.deepEqual(refused, [], 'ordinary requests that were refused')
  assert.ok(Object.keys(ordinary).length > 160)
}

/** In the status of the service, the log, `/readyz` and the metrics. */
function isToldEverywhere(
  sight: Sight,
  facts: {
    readonly status: string
    readonly condition: string
    readonly sentence: RegExp
    readonly rules: RegExp
  },
): void {
  assert.equal(sight.status, facts.status)
  assert.match(sight.reason, facts.sentence)
  const { warnings } = sight.readiness as { warnings: { condition: string; message: string }[] }
  assert.deepEqual(
    warnings.map(({ condition }) => condition),
    [facts.condition],
  )
  assert.match(warnings[0]?.message ?? '', facts.sentence)
  const [rules = '', warning] = [...sight.metrics].sort()
  assert.match(rules, facts.rules)
  assert.equal(warning, `palisade_service_warnings{service="firewall",condition="${facts.condition}"} 1`)
  const [line = ''] = sight.log.filter(
    (one) => /"level":(40|50)/.test(one) && facts.sentence.test(one.replaceAll('\\"', '"')),
  )
  assert.match(line, /rules/)
}
