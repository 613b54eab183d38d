import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet, type RuleExclusion } from './index.ts'

const rules = loadRuleSet({
  sources: [
    {
      name: 'test',
      text: `
SecRuleEngine On
SecRequestBodyAccess On
SecRule ARGS|REQUEST_HEADERS "@rx evil" "id:10,phase:2,pass,log,tag:'attack-sqli',msg:'evil',setvar:'tx.score=+5'"
SecRule ARGS "@rx evil" "id:11,phase:2,pass,log,tag:'attack-xss',setvar:'tx.score=+3',chain"
  SecRule ARGS "@rx evil"
SecRule TX:score "@ge 5" "id:20,phase:2,deny,status:403,log"`,
    },
  ],
})

const connection = { clientAddress: '192.0.2.1', clientPort: 1, serverAddress: '192.0.2.2', serverPort: 80 }

function run(exclusions: readonly RuleExclusion[], uri: string, headers: readonly string[] = []) {
  const transaction = rules.newTransaction({ connection, exclusions: rules.exclusions(exclusions) })
  transaction.requestHeaders({ method: 'GET', uri, protocol: 'HTTP/1.1', headers })
  const interruption = transaction.requestBody(undefined)
  transaction.finish()
  const ids = transaction.matches.map(({ ruleId }) => ruleId)
  return { ids, isBlocked: interruption !== undefined, score: transaction.tx('score') ?? '0' }
}

test('a rule that is left out for a parameter neither tells nor counts there, and does elsewhere', () => {
  const without = [{ rules: { tag: 'attack-sqli' }, targets: ['ARGS:a'] }]
  assert.deepEqual(run(without, '/?a=evil'), { ids: [11], isBlocked: false, score: '3' })
  assert.deepEqual(run(without, '/?b=evil'), { ids: [10, 11, 20], isBlocked: true, score: '8' })
  assert.equal(run(without, '/?a=evil', ['X', 'evil']).isBlocked, true)
})

test('rules that have one tag can be left out without those that have another as well', () => {
  const tagged = loadRuleSet({
    sources: [
      {
        name: 'test',
        text: `
SecRuleEngine On
SecRule ARGS "@rx evil" "id:1,phase:1,pass,log,tag:'attack-rce',tag:'language-java'"
SecRule ARGS "@rx evil" "id:2,phase:1,pass,log,tag:'attack-rce',tag:'language-javascript'"`,
      },
    ],
  })
  const exclusions = tagged.exclusions([{ rules: { tag: 'attack-rce', withoutTag: 'language-java' } }])
  const transaction = tagged.newTransaction({ connection, exclusions })
  transaction.requestHeaders({ method: 'GET', uri: '/?a=evil', protocol: 'HTTP/1.1', headers: [] })
  const ids = transaction.matches.map(({ ruleId }) => ruleId)
  assert.deepEqual(ids, [1])
})

test('what two preparations leave out is left out together', () => {
  const one = rules.exclusions([{ rules: { tag: 'attack-sqli' }, targets: ['ARGS:a'] }])
  const other = rules.exclusions([{ rules: { tag: 'attack-sqli' }, targets: ['ARGS:b'] }])
  const transaction = rules.newTransaction({ connection, exclusions: one.and(other) })
  transaction.requestHeaders({ method: 'GET', uri: '/?a=evil&b=evil', protocol: 'HTTP/1.1', headers: [] })
  transaction.requestBody(undefined)
  const ids = transaction.matches.map(({ ruleId }) => ruleId)
  assert.deepEqual(ids, [11, 11, 20], 'the other rule alone')
})

test('of chains, only the first rule leaves targets out, unless it is for the whole chain', () => {
  const chained = loadRuleSet({
    sources: [
      {
        name: 'test',
        text: `
SecRuleEngine On
SecRule REQUEST_METHOD "@streq GET" "id:1,phase:2,deny,chain"
  SecRule ARGS "@rx evil"`,
      },
    ],
  })
  const isBlocked = (uri: string, inWholeChain: boolean) => {
    const exclusion = { rules: { first: 1, last: 1 }, targets: ['ARGS:a'], inWholeChain }
    const transaction = chained.newTransaction({ connection, exclusions: chained.exclusions([exclusion]) })
    transaction.requestHeaders({ method: 'GET', uri, protocol: 'HTTP/1.1', headers: [] })
    return transaction.requestBody(undefined) !== undefined
  }
  assert.equal(isBlocked('/?a=evil', false), true)
  assert.equal(isBlocked('/?a=evil', true), false)
  assert.equal(isBlocked('/?a=evil&b=evil', true), true)
})

test('values may be left out one by one, as they came', () => {
  const hasValue = (value: string) => value === 'evil'
  const without = [{ rules: { first: 1, last: 19 }, targets: ['ARGS:a'], hasValue }]
  assert.deepEqual(run(without, '/?a=evil').ids, [])
  assert.equal(run(without, '/?a=evil&a=very+evil').isBlocked, true)
  assert.equal(run(without, '/?b=evil').isBlocked, true)
})

test('a rule that is left out wholly does not run', () => {
  assert.deepEqual(run([{ rules: { first: 1, last: 19 } }], '/?a=evil').ids, [])
})

test('a rule that is to be told only raises no score', () => {
  const exclusions = [{ rules: { tag: 'attack-sqli' }, targets: ['ARGS'], isLogged: true }]
  assert.deepEqual(run(exclusions, '/?a=evil'), { ids: [10, 11], isBlocked: false, score: '3' })
})

test('a tag is compared letter by letter', () => {
  assert.deepEqual(run([{ rules: { tag: 'attack.sqli' } }], '/?a=evil').ids, [10, 11, 20])
})

test('one transaction leaves nothing behind for the next', () => {
  const prepared = rules.exclusions([{ rules: { first: 10, last: 10 } }])
  const first = rules.newTransaction({ connection, exclusions: prepared })
  first.finish()
  assert.equal(run([], '/?a=evil').isBlocked, true)
})

test('what is left out may change on the way', () => {
  const transaction = rules.newTransaction({ connection })
  transaction.requestHeaders({ method: 'GET', uri: '/?a=evil', protocol: 'HTTP/1.1', headers: [] })
  transaction.leaveOut(rules.exclusions([{ rules: { first: 1, last: 99 }, targets: ['ARGS:a'] }]))
  assert.equal(transaction.requestBody(undefined), undefined)
})

test('arguments are separated as the transaction says', () => {
  const transaction = rules.newTransaction({ connection, argumentSeparators: '&;' })
  transaction.requestHeaders({ method: 'GET', uri: '/?a=1;b=evil&c=2', protocol: 'HTTP/1.1', headers: [] })
  transaction.requestBody(undefined)
  assert.equal(transaction.matches[0]?.targetName, 'ARGS:b')
})
